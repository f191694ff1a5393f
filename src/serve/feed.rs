//! Server-sent events: what grows while a page is open.

use std::future::{Future, poll_fn};
use std::pin::{Pin, pin};
use std::task::{Context, Poll};
use std::time::Duration;

use hyper::body::{Body, Bytes, Frame};
use serde::Serialize;
use tokio::sync::{mpsc, watch};
use tokio::time::{sleep, timeout};

/// One event.
pub struct Event {
    pub name: &'static str,
    /// JSON: one line.
    pub data: String,
}

impl Event {
    /// An event with a value as JSON; `None` if it cannot be written.
    pub fn json(name: &'static str, value: &impl Serialize) -> Option<Event> {
        let data = serde_json::to_string(value).ok()?;
        Some(Event { name, data })
    }

    fn text(&self) -> String {
        format!("event: {}\ndata: {}\n\n", self.name, self.data)
    }
}

/// Where events come from. Dropped when the browser leaves.
pub trait Source: Send + 'static {
    /// The events since the last call; `None` ends the stream. Called at once, then whenever it is woken or the
    /// time is over. Runs on the pool of handlers: it may read files.
    fn poll(&mut self) -> Option<Vec<Event>>;

    /// Wakes the stream when its value changes.
    fn wake(&self) -> Option<watch::Receiver<u64>> {
        None
    }

    /// The longest time until the next poll.
    fn every(&self) -> Duration {
        HEARTBEAT
    }
}

/// A comment is sent this often, so that a connection without news stays open.
const HEARTBEAT: Duration = Duration::from_secs(15);

/// The body of the answer.
pub(super) struct Stream(mpsc::Receiver<Bytes>);

impl Body for Stream {
    type Data = Bytes;
    type Error = std::convert::Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let next = self.0.poll_recv(context);
        next.map(|bytes| bytes.map(|bytes| Ok(Frame::data(bytes))))
    }
}

/// Starts to send; must be called within the runtime.
pub(super) fn start(source: Box<dyn Source>) -> Stream {
    let (sender, receiver) = mpsc::channel(4);
    tokio::spawn(send_all(source, sender));
    Stream(receiver)
}

async fn send_all(mut source: Box<dyn Source>, sender: mpsc::Sender<Bytes>) {
    let mut wake = source.wake();
    let mut quiet = Duration::ZERO;
    loop {
        if let Some(wake) = &mut wake {
            wake.mark_unchanged();
        }
        let polled = tokio::task::spawn_blocking(move || {
            let events = source.poll();
            (source, events)
        });
        let Ok((same, Some(events))) = polled.await else {
            return;
        };
        source = same;
        let every = source.every();
        let mut text: String = events.iter().map(Event::text).collect();
        quiet += every;
        if text.is_empty() && quiet >= HEARTBEAT {
            text.push_str(": still here\n\n");
        }
        if !text.is_empty() {
            quiet = Duration::ZERO;
            if sender.send(Bytes::from(text)).await.is_err() {
                return;
            }
        }
        if has_left(&sender, pause(&mut wake, every)).await {
            return;
        }
    }
}

async fn pause(wake: &mut Option<watch::Receiver<u64>>, every: Duration) {
    match wake {
        Some(wake) => {
            // The other side is gone: nothing will wake this again.
            if let Ok(Err(_)) = timeout(every, wake.changed()).await {
                sleep(every).await;
            }
        }
        None => sleep(every).await,
    }
}

/// Waits for the pause or the end of the connection, whichever comes first.
async fn has_left(sender: &mpsc::Sender<Bytes>, pause: impl Future<Output = ()>) -> bool {
    let mut pause = pin!(pause);
    let mut closed = pin!(sender.closed());
    poll_fn(|context| {
        if closed.as_mut().poll(context).is_ready() {
            Poll::Ready(true)
        } else {
            pause.as_mut().poll(context).map(|()| false)
        }
    })
    .await
}
