//! A request as a handler sees it.

use std::sync::Arc;

use hyper::body::Bytes;
use serde::de::DeserializeOwned;

use super::{App, Refusal};

/// Path, query and body of a request that passed the guard.
pub struct Request {
    pub app: Arc<App>,
    params: Vec<(String, String)>,
    query: Vec<(String, String)>,
    body: Bytes,
}

impl Request {
    pub(super) fn new(
        app: Arc<App>,
        params: Vec<(String, String)>,
        query: &str,
        body: Bytes,
    ) -> Request {
        Request {
            app,
            params,
            query: parse_query(query),
            body,
        }
    }

    /// A part of the address, such as `id` of `/api/games/{id}`; empty if the route has none of this name.
    pub fn param(&self, name: &str) -> &str {
        find(&self.params, name).unwrap_or("")
    }

    pub fn query(&self, name: &str) -> Option<&str> {
        find(&self.query, name)
    }

    /// All values of a name that may occur several times.
    pub fn queries(&self, name: &str) -> Vec<&str> {
        let pairs = self.query.iter().filter(|(key, _)| key == name);
        pairs.map(|(_, value)| value.as_str()).collect()
    }

    /// The body as JSON. An empty body reads as `{}`.
    pub fn json<T: DeserializeOwned>(&self) -> Result<T, Refusal> {
        let body: &[u8] = if self.body.is_empty() {
            b"{}"
        } else {
            &self.body
        };
        serde_json::from_slice(body).map_err(|error| Refusal::bad_request(format!("body: {error}")))
    }
}

fn find<'a>(pairs: &'a [(String, String)], name: &str) -> Option<&'a str> {
    let pair = pairs.iter().find(|(key, _)| key == name);
    pair.map(|(_, value)| value.as_str())
}

fn parse_query(text: &str) -> Vec<(String, String)> {
    let parts = text.split('&').filter(|part| !part.is_empty());
    parts
        .map(|part| {
            let (key, value) = part.split_once('=').unwrap_or((part, ""));
            (decode(key), decode(value))
        })
        .collect()
}

/// Decodes `%41` and `+`; anything else stays.
fn decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut decoded = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let hex = |digit: u8| char::from(digit).to_digit(16);
        match (bytes[at], bytes.get(at + 1), bytes.get(at + 2)) {
            (b'%', Some(high), Some(low)) => {
                if let (Some(high), Some(low)) = (hex(*high), hex(*low)) {
                    decoded.push((16 * high + low) as u8);
                    at += 3;
                    continue;
                }
                decoded.push(b'%');
            }
            (b'+', ..) => decoded.push(b' '),
            (other, ..) => decoded.push(other),
        }
        at += 1;
    }
    String::from_utf8_lossy(&decoded).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn queries_are_decoded() {
        let query = parse_query("game=connect-four&fen=W%3AW31+x&empty&bad=%zz%4");
        assert_eq!(find(&query, "fen"), Some("W:W31 x"));
        assert_eq!(find(&query, "empty"), Some(""));
        assert_eq!(find(&query, "bad"), Some("%zz%4"));
        assert_eq!(find(&query, "other"), None);
    }
}
