//! Who may ask. A page of another site in the same browser reaches a server on loopback too: by a name that
//! resolves to 127.0.0.1 (DNS rebinding), or by a forged request. So the name in `Host` must be one of this machine,
//! `Origin` must be this server, and actions must be JSON, which another site cannot send without asking first.

use std::hash::{BuildHasher, Hasher, RandomState};
use std::net::IpAddr;

use axum::http::request::Parts;
use axum::http::{HeaderMap, HeaderName, Method, header};

use super::Refusal;

/// The checks before a request is read.
pub struct Guard {
    /// Anyone who knows it may ask; `None` on loopback without a token.
    token: Option<String>,
    /// Only names of this machine are accepted in `Host`.
    loopback: bool,
}

/// The cookie that carries the token.
const COOKIE: &str = "sparring";

impl Guard {
    /// A server beyond loopback has a token: the given one or a random one.
    pub fn new(listen: IpAddr, token: Option<String>) -> Guard {
        let loopback = listen.is_loopback();
        Guard {
            token: token.or_else(|| (!loopback).then(random_token)),
            loopback,
        }
    }

    pub fn token(&self) -> Option<&str> {
        self.token.as_deref()
    }

    pub(super) fn check(&self, head: &Parts) -> Result<(), Refusal> {
        let host = self.check_host(head)?;
        check_origin(head, host)?;
        if head.method != Method::GET && head.method != Method::HEAD {
            let kind = text(&head.headers, &header::CONTENT_TYPE).unwrap_or("");
            let kind = kind.split(';').next().unwrap_or("").trim();
            if !kind.eq_ignore_ascii_case("application/json") {
                return Err(Refusal::new(415, "Content-Type: expected application/json"));
            }
        }
        self.check_token(head)
    }

    fn check_host<'h>(&self, head: &'h Parts) -> Result<&'h str, Refusal> {
        let mut hosts = head.headers.get_all(header::HOST).iter();
        let (Some(host), None) = (hosts.next(), hosts.next()) else {
            return Err(Refusal::bad_request("Host: expected exactly one"));
        };
        let host = host
            .to_str()
            .map_err(|_| Refusal::bad_request("Host: not a name"))?;
        let other = head.uri.authority().map(|authority| authority.as_str());
        if other.is_some_and(|other| !other.eq_ignore_ascii_case(host)) {
            return Err(Refusal::bad_request("Host: differs from the address"));
        }
        if self.loopback && !is_loopback_name(host) {
            let message = format!(
                "Host: `{host}` is not a name of this machine; open the address that the server printed"
            );
            return Err(Refusal::new(421, message));
        }
        Ok(host)
    }

    fn check_token(&self, head: &Parts) -> Result<(), Refusal> {
        let Some(token) = &self.token else {
            return Ok(());
        };
        let given = [
            cookie(&head.headers),
            text(&head.headers, &header::AUTHORIZATION)
                .and_then(|text| text.strip_prefix("Bearer ")),
        ];
        let known = given
            .into_iter()
            .flatten()
            .any(|given| is_same(given, token));
        known.then_some(()).ok_or_else(|| {
            Refusal::new(
                401,
                "this server needs its token: open the address that it printed at its start, or send \
                 `Authorization: Bearer TOKEN`",
            )
        })
    }

    /// The cookie to set for a first visit by an address with the token, `?token=...`.
    pub(super) fn admits(&self, head: &Parts) -> Option<String> {
        let token = self.token.as_ref()?;
        let host = self.check_host(head).ok()?;
        check_origin(head, host).ok()?;
        let query = head.uri.query()?;
        let given = query
            .split('&')
            .find_map(|part| part.strip_prefix("token="))?;
        (head.method == Method::GET && is_same(given, token)).then(|| {
            format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=2592000")
        })
    }
}

fn text<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    headers.get(name)?.to_str().ok()
}

fn cookie(headers: &HeaderMap) -> Option<&str> {
    let cookies = text(headers, &header::COOKIE)?;
    cookies
        .split(';')
        .find_map(|one| one.trim().strip_prefix(COOKIE)?.strip_prefix('='))
}

/// Name and port: `name`, `name:80`, or `[::1]:80`. `None` if it is none of these.
fn split_host(host: &str) -> Option<(&str, Option<u16>)> {
    let (name, rest) = match host.strip_prefix('[') {
        Some(rest) => rest.split_once(']')?,
        None => host.split_at(host.find(':').unwrap_or(host.len())),
    };
    let is_number = |port: &&str| port.bytes().all(|byte| byte.is_ascii_digit());
    let port = match rest.strip_prefix(':') {
        Some(port) => Some(Some(port).filter(is_number)?.parse().ok()?),
        None if rest.is_empty() => None,
        None => return None,
    };
    Some((name, port))
}

/// Any port: it may be forwarded, as by `ssh -L`.
fn is_loopback_name(host: &str) -> bool {
    let Some((name, _)) = split_host(host) else {
        return false;
    };
    // Only an address of version 6 has brackets.
    let address = match host.starts_with('[') {
        true => name.parse().map(IpAddr::V6),
        false => name.parse().map(IpAddr::V4),
    };
    name.eq_ignore_ascii_case("localhost") && !host.starts_with('[')
        || address.is_ok_and(|address| address.is_loopback())
}

fn check_origin(head: &Parts, host: &str) -> Result<(), Refusal> {
    let refuse = |what: &str| {
        Err(Refusal::new(
            403,
            format!("{what}: requests of other sites are refused"),
        ))
    };
    for origin in head.headers.get_all(header::ORIGIN) {
        let origin = origin.to_str().unwrap_or("");
        let scheme = ["http://", "https://"];
        let named = scheme.iter().find_map(|scheme| origin.strip_prefix(scheme));
        if !named.is_some_and(|named| named.eq_ignore_ascii_case(host)) {
            return refuse(&format!("Origin: `{origin}`"));
        }
    }
    let site = text(&head.headers, &HeaderName::from_static("sec-fetch-site"));
    // A link from another site to a page is fine, anything else is not.
    let mode = text(&head.headers, &HeaderName::from_static("sec-fetch-mode"));
    let is_link = head.method == Method::GET && mode == Some("navigate");
    if matches!(site, Some("cross-site" | "same-site")) && !is_link {
        return refuse("Sec-Fetch-Site");
    }
    Ok(())
}

/// Compares without telling by its duration how much is equal.
fn is_same(given: &str, token: &str) -> bool {
    given.len() == token.len()
        && given
            .bytes()
            .zip(token.bytes())
            .fold(0, |differ, (a, b)| differ | (a ^ b))
            == 0
}

/// 128 bits from the keys that the operating system gives to hash tables.
fn random_token() -> String {
    let word = |number: u64| {
        let mut hasher = RandomState::new().build_hasher();
        hasher.write_u64(number);
        hasher.finish()
    };
    format!("{:016x}{:016x}", word(1), word(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(guard: &Guard, method: &str, headers: &[(&str, &str)]) -> u16 {
        let mut request = axum::http::Request::builder().method(method).uri("/");
        for (name, value) in headers {
            request = request.header(*name, *value);
        }
        let (head, ()) = request.body(()).unwrap().into_parts();
        guard
            .check(&head)
            .map_or_else(|refusal| refusal.status, |()| 200)
    }

    #[test]
    fn only_names_of_this_machine_are_accepted_on_loopback() {
        let guard = Guard::new(IpAddr::from([127, 0, 0, 1]), None);
        for host in ["localhost:8000", "127.0.0.1", "[::1]:9", "LOCALHOST"] {
            assert_eq!(check(&guard, "GET", &[("host", host)]), 200, "{host}");
        }
        for host in [
            "evil.example",
            "127.0.0.1.evil.example:80",
            "10.0.0.1",
            "",
            "localhost.",
            "[::1]evil.example",
            "[::1].evil.example:80",
            "[::1]:80.evil.example",
            "[::1]@evil.example",
            "[::1",
            "[localhost]",
            "[127.0.0.1]",
            "::1",
            "localhost:80:evil",
            "localhost:evil",
            "localhost:+80",
            "localhost:99999",
            "localhost:",
        ] {
            assert_eq!(check(&guard, "GET", &[("host", host)]), 421, "{host}");
        }
        assert_eq!(check(&guard, "GET", &[]), 400);
        let two = [("host", "localhost"), ("host", "evil.example")];
        assert_eq!(check(&guard, "GET", &two), 400);
    }

    #[test]
    fn requests_of_other_sites_are_refused() {
        let guard = Guard::new(IpAddr::from([127, 0, 0, 1]), None);
        let host = ("host", "localhost:8000");
        let json = ("content-type", "application/json");
        let post = |more: &[(&str, &str)]| check(&guard, "POST", &[&[host], more].concat());
        assert_eq!(post(&[json]), 200);
        assert_eq!(post(&[json, ("origin", "http://localhost:8000")]), 200);
        for origin in [
            "http://evil.example",
            "null",
            "http://localhost:8001",
            "localhost:8000",
        ] {
            assert_eq!(post(&[json, ("origin", origin)]), 403, "{origin}");
        }
        assert_eq!(post(&[json, ("sec-fetch-site", "cross-site")]), 403);
        // What a form of another site could send without asking.
        assert_eq!(post(&[("content-type", "text/plain")]), 415);
        assert_eq!(post(&[]), 415);
    }

    #[test]
    fn a_server_beyond_loopback_asks_for_its_token() {
        let guard = Guard::new(IpAddr::from([0, 0, 0, 0]), None);
        let token = guard.token().unwrap().to_string();
        assert_eq!(token.len(), 32);
        assert_ne!(
            token,
            Guard::new(IpAddr::from([0, 0, 0, 0]), None)
                .token()
                .unwrap()
        );
        let host = ("host", "10.0.0.1:80");
        assert_eq!(check(&guard, "GET", &[host]), 401);
        let cookie = format!("a=b; sparring={token}");
        assert_eq!(check(&guard, "GET", &[host, ("cookie", &cookie)]), 200);
        let bearer = format!("Bearer {token}");
        assert_eq!(
            check(&guard, "GET", &[host, ("authorization", &bearer)]),
            200
        );
        assert_eq!(check(&guard, "GET", &[host, ("cookie", "sparring=")]), 401);
    }
}
