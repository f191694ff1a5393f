//! What a handler answers.

use std::fmt::Display;

use axum::body::Body;
use axum::http::{Response, StatusCode, header};
use hyper::body::Bytes;
use serde::Serialize;

use super::Source;
use super::feed;
use super::file::OpenFile;

/// What a document may load and run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Policy {
    /// The server's own pages: scripts and styles are files of this server.
    Page,
    /// A report of a run directory. It is self-contained, with script and style inside; the sandbox gives it an
    /// separate origin, from which it can reach nothing here.
    Report,
}

impl Policy {
    const fn text(self) -> &'static str {
        match self {
            Policy::Page => {
                "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; \
                 frame-src 'self'; form-action 'none'; base-uri 'none'; frame-ancestors 'none'"
            }
            Policy::Report => {
                "sandbox allow-scripts; default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                 img-src data:; form-action 'none'; base-uri 'none'; frame-ancestors 'self'"
            }
        }
    }
}

/// An answer.
pub enum Reply {
    Body {
        /// The media type.
        kind: &'static str,
        bytes: Bytes,
        policy: Policy,
        /// The name under which a browser saves it; `None` shows it.
        save_as: Option<String>,
    },
    File {
        kind: &'static str,
        file: OpenFile,
        policy: Policy,
        save_as: Option<String>,
    },
    Events(Box<dyn Source>),
}

impl Reply {
    pub fn new(kind: &'static str, bytes: impl Into<Bytes>) -> Reply {
        Reply::Body {
            kind,
            bytes: bytes.into(),
            policy: Policy::Page,
            save_as: None,
        }
    }

    pub fn json(value: &impl Serialize) -> Result<Reply, Refusal> {
        let bytes = serde_json::to_vec(value).map_err(Refusal::internal)?;
        Ok(Reply::new("application/json", bytes))
    }

    /// An empty answer to an action.
    pub fn done() -> Reply {
        Reply::new("application/json", "{}")
    }

    /// A text to be saved by the browser.
    pub fn download(kind: &'static str, name: &str, bytes: impl Into<Bytes>) -> Reply {
        Reply::Body {
            kind,
            bytes: bytes.into(),
            policy: Policy::Page,
            save_as: Some(plain_name(name)),
        }
    }

    /// A file of any size. `save_as`: the name under which the browser saves it; `None` shows it.
    pub fn file(
        kind: &'static str,
        file: OpenFile,
        policy: Policy,
        save_as: Option<&str>,
    ) -> Reply {
        Reply::File {
            kind,
            file,
            policy,
            save_as: save_as.map(plain_name),
        }
    }

    /// Server-sent events until the browser leaves.
    pub fn events(source: impl Source) -> Reply {
        Reply::Events(Box::new(source))
    }

    /// Must be called within the runtime.
    pub(super) fn into_response(self) -> Response<Body> {
        let (kind, policy, body, save_as) = match self {
            Reply::Events(source) => {
                let body = Body::new(feed::start(source));
                ("text/event-stream", Policy::Page, body, None)
            }
            Reply::Body {
                kind,
                bytes,
                policy,
                save_as,
            } => (kind, policy, Body::from(bytes), save_as),
            Reply::File {
                kind,
                file,
                policy,
                save_as,
            } => (kind, policy, Body::new(file.into_body()), save_as),
        };
        let mut response = response(StatusCode::OK, kind, policy, body);
        let saved = save_as.map(|name| format!("attachment; filename=\"{name}\""));
        if let Some(Ok(value)) = saved.map(TryInto::try_into) {
            response
                .headers_mut()
                .insert(header::CONTENT_DISPOSITION, value);
        }
        response
    }
}

/// A name for a file on the visitor's disk: letters, digits, `.`, `-` and `_`.
fn plain_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '.' | '-' | '_');
    let chars = name.chars();
    chars.map(|c| if plain(c) { c } else { '_' }).collect()
}

fn response(status: StatusCode, kind: &'static str, policy: Policy, body: Body) -> Response<Body> {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    let headers = response.headers_mut();
    let fixed = [
        (header::CONTENT_TYPE, kind),
        (header::CONTENT_SECURITY_POLICY, policy.text()),
        (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (header::REFERRER_POLICY, "no-referrer"),
        (header::CACHE_CONTROL, "no-store"),
    ];
    for (name, value) in fixed {
        headers.insert(name, header::HeaderValue::from_static(value));
    }
    headers.insert(
        header::HeaderName::from_static("cross-origin-resource-policy"),
        header::HeaderValue::from_static("same-origin"),
    );
    response
}

/// Why a request was refused: a status and a message with the remedy.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Refusal {
    pub status: u16,
    pub message: String,
}

impl Refusal {
    pub fn new(status: u16, message: impl Display) -> Refusal {
        Refusal {
            status,
            message: message.to_string(),
        }
    }

    /// Malformed.
    pub fn bad_request(message: impl Display) -> Refusal {
        Refusal::new(400, message)
    }

    pub fn not_found(message: impl Display) -> Refusal {
        Refusal::new(404, message)
    }

    /// Not possible in the present state, such as a move after the end of a game.
    pub fn conflict(message: impl Display) -> Refusal {
        Refusal::new(409, message)
    }

    /// Well-formed, but a value is wrong: the message of a config.
    pub fn invalid(message: impl Display) -> Refusal {
        Refusal::new(422, message)
    }

    /// A limit of this server is reached.
    pub fn busy(message: impl Display) -> Refusal {
        Refusal::new(429, message)
    }

    pub fn internal(message: impl Display) -> Refusal {
        Refusal::new(500, message)
    }

    pub(super) fn into_response(self) -> Response<Body> {
        let body = serde_json::json!({ "error": self.message }).to_string();
        let status = StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
        response(status, "application/json", Policy::Page, Body::from(body))
    }
}
