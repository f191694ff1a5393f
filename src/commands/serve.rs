//! `sparring serve`: the web page.

use std::net::IpAddr;
use std::path::PathBuf;
use std::sync::atomic::Ordering;

use clap::Args;

use super::{Done, Failure, print, stop_on_interrupt, tell};
use crate::serve::{Server, Settings};

#[derive(Args)]
pub struct ServeArgs {
    /// Listen on this port; 0 chooses a free one
    #[arg(long, value_name = "N", default_value_t = 8181)]
    pub port: u16,
    /// Listen on this address; beyond loopback, visitors need the token of the printed URL
    #[arg(long, value_name = "ADDR", default_value = "127.0.0.1")]
    pub listen: IpAddr,
    /// Ask for this token, at least 16 letters or digits [default: none on loopback, else a random one]
    #[arg(long, value_name = "TEXT")]
    pub token: Option<String>,
    /// The folder of run directories
    #[arg(long, value_name = "DIR", default_value = "reports")]
    pub reports: PathBuf,
    /// The folder of configs and weights files
    #[arg(long, value_name = "DIR", default_value = "configs")]
    pub configs: PathBuf,
}

pub fn run(args: &ServeArgs) -> Done {
    if let Some(token) = &args.token
        && (token.len() < 16 || !token.chars().all(|c| c.is_ascii_alphanumeric()))
    {
        let message = "--token: expected at least 16 letters or digits";
        return Err(Failure::bad_input(message));
    }
    let settings = Settings {
        listen: args.listen,
        port: args.port,
        token: args.token.clone(),
        reports: args.reports.clone(),
        configs: args.configs.clone(),
    };
    let stop = stop_on_interrupt();
    let server = Server::bind(&settings).map_err(Failure::bad_input)?;
    print(&format!("serving: {}\n", server.url()));
    tell("Ctrl-C ends the server\n");
    server
        .run(&|| stop.load(Ordering::Relaxed))
        .map_err(Failure::bad_input)
}
