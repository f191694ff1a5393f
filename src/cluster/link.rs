//! The connection to the server, for code that waits: streams, specs, jobs and results.

use std::fs;
use std::future::Future;
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::context::PublishError;
use async_nats::jetstream::kv::Store;
use async_nats::jetstream::stream::{Config, DiscardPolicy, RetentionPolicy, StorageType};
use async_nats::jetstream::{self, Context};
use async_nats::{Client, ConnectOptions, Event};
use futures_util::StreamExt;
use tokio::runtime::Handle;
use tokio::sync::oneshot;

use super::Say;
use super::error::ClusterError;
use super::names::{BUCKET, ExperimentId, JOBS, RESULTS};
use super::spec::Spec;
use super::wire::{MOST_BYTES, MOST_UNPACKED, WireError};

/// Where the server is, and who we are to it.
#[derive(Clone, Debug, Default)]
pub struct Address {
    pub url: String,
    /// A credentials file, or the seed of an nkey.
    pub credentials: Option<PathBuf>,
    /// Certificates that sign the server's, besides those of the system.
    pub authority: Option<PathBuf>,
}

/// Inboxes have the role in their name, so that a server can keep workers out of the coordinators' ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    Coordinator,
    Worker,
}

impl Role {
    const fn inbox(self) -> &'static str {
        match self {
            Role::Coordinator => "_INBOX_coordinator",
            Role::Worker => "_INBOX_worker",
        }
    }
}

/// Before this version, acknowledged messages come back after a kill of the server.
const OLDEST_SERVER: [u64; 3] = [2, 10, 27];

/// A server that does not answer is not waited for longer.
const PATIENCE: Duration = Duration::from_secs(5);

/// Results that no coordinator has fetched are dropped after this time.
const RESULTS_LIVE: Duration = Duration::from_secs(30 * 24 * 3600);

/// Specs are stored in pieces, because a message has a limit.
const PIECE: usize = 500_000;

pub struct Link {
    /// Host and port, for messages.
    pub server: String,
    pub client: Client,
    pub context: Context,
    pub handle: Handle,
    /// Ends the thread that runs the sockets.
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Link {
    pub fn open(address: &Address, role: Role, name: &str, say: Say) -> Result<Link, ClusterError> {
        let server = server_name(&address.url)?;
        let options = options(address, role, name, say, &server)?;
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| ClusterError::Connect {
                server: server.clone(),
                message: error.to_string(),
            })?;
        let handle = runtime.handle().clone();
        let (stop, stopped) = oneshot::channel::<()>();
        let thread = std::thread::spawn(move || {
            let _ = runtime.block_on(stopped);
        });
        let client = handle
            .block_on(options.connect(&address.url))
            .map_err(|error| ClusterError::Connect {
                server: server.clone(),
                message: error.to_string(),
            })?;
        let version = client.server_info().version;
        if is_old(&version) {
            return Err(ClusterError::OldServer { server, version });
        }
        // It starts a task.
        let mut context = handle.block_on(async { jetstream::new(client.clone()) });
        context.set_timeout(PATIENCE);
        Ok(Link {
            server,
            client,
            context,
            handle,
            stop: Some(stop),
            thread: Some(thread),
        })
    }

    /// Waits for an answer of the server.
    pub fn wait<F: Future>(&self, future: F) -> F::Output {
        self.handle.block_on(future)
    }

    fn failed(&self, doing: &str, error: &dyn std::error::Error) -> ClusterError {
        ClusterError::Server {
            server: self.server.clone(),
            doing: doing.to_string(),
            message: full_text(error),
        }
    }

    /// Makes the streams and the bucket, unless they are there.
    pub fn set_up(&self) -> Result<(), ClusterError> {
        let stream = |name: &str, subject: &str, max_age: Duration| Config {
            name: name.to_string(),
            subjects: vec![subject.to_string()],
            retention: RetentionPolicy::WorkQueue,
            // The first message of a subject wins, and later ones are refused.
            discard: DiscardPolicy::New,
            discard_new_per_subject: true,
            max_messages_per_subject: 1,
            storage: StorageType::File,
            max_age,
            ..Config::default()
        };
        for config in [
            stream(JOBS, "jobs.>", Duration::ZERO),
            stream(RESULTS, "res.>", RESULTS_LIVE),
        ] {
            let name = config.name.clone();
            self.wait(self.context.get_or_create_stream(config))
                .map_err(|error| self.failed(&format!("make the stream {name}"), &error))?;
        }
        if self.wait(self.context.get_key_value(BUCKET)).is_err() {
            let bucket = jetstream::kv::Config {
                bucket: BUCKET.to_string(),
                history: 1,
                storage: StorageType::File,
                ..jetstream::kv::Config::default()
            };
            self.wait(self.context.create_key_value(bucket))
                .map_err(|error| self.failed(&format!("make the bucket {BUCKET}"), &error))?;
        }
        Ok(())
    }

    fn store(&self) -> Result<Store, ClusterError> {
        self.wait(self.context.get_key_value(BUCKET))
            .map_err(|error| self.failed("find its bucket of experiments", &error))
    }

    pub fn put_spec(&self, id: &ExperimentId, spec: &Spec) -> Result<(), ClusterError> {
        let store = self.store()?;
        let bytes = spec.encode()?;
        let put = |key: String, value: Vec<u8>| {
            self.wait(store.put(&key, value.into()))
                .map_err(|error| self.failed("store the spec of an experiment", &error))
        };
        for (index, piece) in bytes.chunks(PIECE).enumerate() {
            put(format!("{id}.{index}"), piece.to_vec())?;
        }
        let pieces = bytes.len().div_ceil(PIECE);
        put(format!("{id}.pieces"), pieces.to_string().into_bytes())?;
        self.put_state(id, "running")
    }

    /// `None` if there is none.
    pub fn get_spec(&self, id: &ExperimentId) -> Result<Option<Spec>, ClusterError> {
        let store = self.store()?;
        let get = |key: String| {
            self.wait(store.get(key))
                .map_err(|error| self.failed("read the spec of an experiment", &error))
        };
        let Some(pieces) = get(format!("{id}.pieces"))? else {
            return Ok(None);
        };
        let pieces = std::str::from_utf8(&pieces).unwrap_or_default();
        let most = MOST_UNPACKED / PIECE;
        let pieces = match pieces.parse::<usize>() {
            Ok(pieces) if (1..=most).contains(&pieces) => pieces,
            _ => return Err(WireError::invalid("a spec of too many pieces").into()),
        };
        let mut bytes = Vec::new();
        for index in 0..pieces {
            match get(format!("{id}.{index}"))? {
                Some(piece) => bytes.extend(piece),
                None => return Ok(None),
            }
        }
        Ok(Some(Spec::decode(&bytes)?))
    }

    pub fn put_state(&self, id: &ExperimentId, state: &str) -> Result<(), ClusterError> {
        let store = self.store()?;
        let value = state.to_string().into_bytes();
        self.wait(store.put(format!("{id}.state"), value.into()))
            .map(|_| ())
            .map_err(|error| self.failed("store the state of an experiment", &error))
    }

    /// Forgets all of an experiment.
    pub fn forget(&self, id: &ExperimentId) -> Result<(), ClusterError> {
        self.drop_jobs(id)?;
        for stream in [JOBS, RESULTS] {
            // A consumer that is gone already is as good.
            let _ = self.wait(
                self.context
                    .delete_consumer_from_stream(id.as_str(), stream),
            );
        }
        self.purge(RESULTS, &id.results())?;
        let stream = format!("KV_{BUCKET}");
        self.purge(&stream, &format!("$KV.{BUCKET}.{id}.>"))
    }

    /// Removes the jobs that no worker has begun.
    pub fn drop_jobs(&self, id: &ExperimentId) -> Result<(), ClusterError> {
        self.purge(JOBS, &id.jobs())
    }

    fn purge(&self, stream: &str, subject: &str) -> Result<(), ClusterError> {
        let doing = format!("purge {subject}");
        let found = self
            .wait(self.context.get_stream_no_info(stream))
            .map_err(|error| self.failed(&doing, &error))?;
        self.wait(found.purge().filter(subject).into_future())
            .map(|_| ())
            .map_err(|error| self.failed(&doing, &error))
    }

    /// The queue of an experiment's jobs, made if it is not there. A job whose worker reports nothing for
    /// `ack_wait` is given to another one.
    pub fn make_job_queue(
        &self,
        id: &ExperimentId,
        ack_wait: Duration,
    ) -> Result<(), ClusterError> {
        let config = queue(id, id.jobs(), ack_wait);
        self.wait(self.context.create_consumer_on_stream(config, JOBS))
            .map(|_| ())
            .map_err(|error| self.failed("make the queue of jobs", &error))
    }

    /// The queue of an experiment's results, from the first one that was not acknowledged.
    pub fn make_result_queue(&self, id: &ExperimentId) -> Result<PullConsumer, ClusterError> {
        // A new one delivers at once what an earlier coordinator held.
        let _ = self.wait(
            self.context
                .delete_consumer_from_stream(id.as_str(), RESULTS),
        );
        let config = queue(id, id.results(), Duration::from_secs(300));
        self.wait(self.context.create_consumer_on_stream(config, RESULTS))
            .map_err(|error| self.failed("make the queue of results", &error))
    }

    pub fn job_queue(&self, id: &ExperimentId) -> Result<PullConsumer, ClusterError> {
        self.wait(self.context.get_consumer_from_stream(id.as_str(), JOBS))
            .map_err(|error| self.failed("find the queue of jobs", &error))
    }

    /// Jobs of the experiment that wait or are being played.
    pub fn open_jobs(&self, id: &ExperimentId) -> Result<u64, ClusterError> {
        let mut queue = self.job_queue(id)?;
        let info = self
            .wait(queue.info())
            .map_err(|error| self.failed("read the queue of jobs", &error))?;
        Ok(info.num_pending + info.num_ack_pending as u64)
    }

    /// Up to `most` messages of a queue, after at most `patience`.
    pub fn fetch(
        &self,
        queue: &PullConsumer,
        most: usize,
        patience: Option<Duration>,
    ) -> Result<Vec<jetstream::Message>, ClusterError> {
        let fetch = async {
            let mut batch = match patience {
                Some(patience) => {
                    let batch = queue.batch().max_messages(most).expires(patience);
                    batch.messages().await
                }
                None => queue.fetch().max_messages(most).messages().await,
            }
            .map_err(|error| self.failed("fetch messages", &error))?;
            let mut messages = Vec::new();
            while let Some(message) = batch.next().await {
                match message {
                    Ok(message) => messages.push(message),
                    Err(error) if messages.is_empty() => {
                        return Err(self.failed("fetch messages", error.as_ref()));
                    }
                    Err(_) => break,
                }
            }
            Ok(messages)
        };
        let limit = patience.unwrap_or_default() + PATIENCE;
        self.wait(async { tokio::time::timeout(limit, fetch).await })
            .unwrap_or_else(|error| Err(self.failed("fetch messages", &error)))
    }

    /// Stores messages; says of each whether it is there now. Those whose subject is taken are.
    pub fn publish(&self, messages: Vec<(String, Vec<u8>)>) -> Vec<Result<(), ClusterError>> {
        self.wait(async {
            let mut acks = Vec::new();
            for (subject, payload) in messages {
                if payload.len() > MOST_BYTES {
                    let error = WireError::TooLarge {
                        bytes: payload.len(),
                        most: MOST_BYTES,
                    };
                    acks.push(Err(error.into()));
                    continue;
                }
                let sent = self.context.publish(subject, payload.into()).await;
                acks.push(sent.map_err(|error| self.failed("store a message", &error)));
            }
            let mut done = Vec::new();
            for ack in acks {
                done.push(match ack {
                    Ok(ack) => match ack.await {
                        Ok(_) => Ok(()),
                        Err(error) if is_there(&error) => Ok(()),
                        Err(error) => Err(self.failed("store a message", &error)),
                    },
                    Err(error) => Err(error),
                });
            }
            done
        })
    }

    /// Sends a message that is not stored.
    pub fn tell(&self, subject: String, payload: Vec<u8>) -> Result<(), ClusterError> {
        let sent = self.wait(async {
            self.client
                .publish(subject, payload.into())
                .await
                .map_err(|error| self.failed("send a message", &error))?;
            let flushed = tokio::time::timeout(PATIENCE, self.client.flush()).await;
            flushed.map_err(|error| self.failed("send a message", &error))
        })?;
        sent.map_err(|error| self.failed("send a message", &error))
    }
}

impl Drop for Link {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn queue(id: &ExperimentId, filter: String, ack_wait: Duration) -> pull::Config {
    pull::Config {
        durable_name: Some(id.to_string()),
        filter_subject: filter,
        ack_policy: AckPolicy::Explicit,
        ack_wait,
        max_ack_pending: 1_000_000,
        max_waiting: 65_536,
        ..pull::Config::default()
    }
}

/// Code 10077 has many reasons; this one means that an earlier message holds the subject.
fn is_there(error: &PublishError) -> bool {
    full_text(error).contains("maximum messages per subject exceeded")
}

fn full_text(error: &dyn std::error::Error) -> String {
    let mut text = error.to_string();
    let mut source = error.source();
    while let Some(inner) = source {
        let inner_text = inner.to_string();
        if !text.contains(&inner_text) {
            text.push_str(": ");
            text.push_str(&inner_text);
        }
        source = inner.source();
    }
    text
}

/// Host and port of an address.
fn server_name(url: &str) -> Result<String, ClusterError> {
    let wrong = |message: &str| ClusterError::Address {
        message: message.to_string(),
    };
    let rest = match url.split_once("://") {
        Some(("nats" | "tls", rest)) => rest,
        _ => {
            return Err(wrong(
                "the address of a server is nats://HOST:4222, or tls://HOST:4222 for TLS alone",
            ));
        }
    };
    if rest.contains('@') {
        // The address is not repeated: it holds a secret that must not reach a log.
        return Err(wrong(
            "an address with a password or token is seen by everybody in the list of processes: give \
             nats://HOST:4222 and --creds FILE",
        ));
    }
    let server = rest.trim_end_matches('/');
    match server.is_empty() {
        true => Err(wrong("the address of a server is nats://HOST:4222")),
        false => Ok(server.to_string()),
    }
}

fn is_old(version: &str) -> bool {
    let numbers: Vec<u64> = version
        .split(['.', '-'])
        .map_while(|part| part.parse().ok())
        .collect();
    numbers.as_slice() < OLDEST_SERVER.as_slice()
}

fn options(
    address: &Address,
    role: Role,
    name: &str,
    say: Say,
    server: &str,
) -> Result<ConnectOptions, ClusterError> {
    let mut options = ConnectOptions::new()
        .name(name)
        .custom_inbox_prefix(role.inbox())
        .connection_timeout(PATIENCE)
        .request_timeout(Some(PATIENCE))
        // Notices a network that is cut.
        .ping_interval(Duration::from_secs(5))
        .reconnect_delay_callback(|attempts| {
            Duration::from_millis((attempts as u64 * 100).min(2000))
        });
    if let Some(path) = &address.credentials {
        let text = fs::read_to_string(path).map_err(|error| ClusterError::File {
            path: path.clone(),
            message: error.to_string(),
        })?;
        let lines = text.lines().map(str::trim);
        let seed = lines.clone().find(|line| line.starts_with("SU"));
        options = match seed {
            Some(seed) if !text.contains("BEGIN NATS USER JWT") => options.nkey(seed.to_string()),
            _ => options
                .credentials(&text)
                .map_err(|_| ClusterError::File {
                    path: path.clone(),
                    message: "neither a credentials file nor the seed of an nkey (a line that begins with SU)"
                        .to_string(),
                })?,
        };
    }
    if let Some(path) = &address.authority {
        fs::metadata(path).map_err(|error| ClusterError::File {
            path: path.clone(),
            message: error.to_string(),
        })?;
        options = options.add_root_certificates(path.clone());
    }
    let server = server.to_string();
    Ok(options.event_callback(move |event| {
        let (say, server) = (say.clone(), server.clone());
        async move {
            match event {
                Event::Disconnected => say(&format!("{server}: connection lost, connecting again")),
                Event::ServerError(error) => say(&format!("{server}: {error}")),
                _ => {}
            }
        }
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn servers_that_lose_acknowledged_messages_are_old() {
        for old in ["2.9.10", "2.10.26", "1.4.1", "2.10", "unknown"] {
            assert!(is_old(old), "{old}");
        }
        for new in ["2.10.27", "2.11.0-RC.1", "2.15.1", "3.0.0"] {
            assert!(!is_old(new), "{new}");
        }
    }

    #[test]
    fn an_address_with_a_password_is_refused_without_repeating_it() {
        let refused = server_name("nats://me:secret@host:4222")
            .unwrap_err()
            .to_string();
        assert!(
            refused.contains("--creds") && !refused.contains("secret"),
            "{refused}"
        );
        assert_eq!(server_name("tls://host:4222/").unwrap(), "host:4222");
        assert!(server_name("host:4222").is_err());
        assert!(server_name("http://host").is_err());
    }
}
