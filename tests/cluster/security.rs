//! Who is refused, and with which message.

use std::fs;
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use sparring::cluster::{
    Address, ClusterError, Coordinator, Course, Flags, Hand, Job, Link, LocalEngines, Opened,
    Player, Role, Say, SharedCrew, Spec, SpecKind, Terms, Work, Worker, WorkerEvent,
};
use sparring::config;
use sparring::games::GameResult;
use sparring::play::PlayedPair;

use crate::lab::{Lab, sparring};
use crate::same_bytes::TEST;

/// Keys of these tests alone: everybody can read them here.
const COORDINATOR: [&str; 2] = [
    "SUABLAKJVT2GXD7LPDTIEHMBRIUMYF52OBNS3WVKMWPJSFCLHGJVAOHJZI",
    "UDXLJVMOXEITPD37C5P3HHMAKNPOWWFRNGUV7KS64FGP7Q27HTQVCYSH",
];
const WORKER: [&str; 2] = [
    "SUAOYVLUWPOLKNJAUSFO3J4SEFR52SW47YLUGV5BDUYWVUCMABPKAIKYNI",
    "UDY7JSWTAPSSLES72YYPL4REGIT7BPFERWQSJZ2UHHAYH33YGIMTXREZ",
];

/// A server with the users of the shipped config, without TLS.
fn guarded_lab() -> Lab {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("configs/nats.conf");
    let text = fs::read_to_string(shipped).expect("the shipped config");
    let (_, users) = text.split_once("authorization {").expect("its users");
    let users = users
        .replace("COORDINATOR_PUBLIC_KEY", COORDINATOR[1])
        .replace("WORKER_PUBLIC_KEY", WORKER[1]);
    let lab = Lab::with_config(&format!("authorization {{{users}"));
    lab.write("coordinator.nk", COORDINATOR[0]);
    lab.write("worker.nk", WORKER[0]);
    lab
}

fn creds(lab: &Lab, name: &str) -> String {
    lab.path(name).display().to_string()
}

#[test]
fn users_of_the_shipped_config_can_do_their_work_and_nothing_else() {
    let mut lab = guarded_lab();
    let worker = creds(&lab, "worker.nk");
    lab.worker("a", &["--creds", &worker]);
    lab.worker("b", &["--creds", &worker]);
    let config = lab.write("test.toml", TEST);
    lab.succeeds("run", &config, "here", false);
    let coordinator = creds(&lab, "coordinator.nk");
    let mut run = lab.command("run", &config, "there", true);
    let run = run.args(["--creds", &coordinator]).output().expect("ended");
    let said = String::from_utf8_lossy(&run.stderr).into_owned();
    assert!(run.status.success(), "{said}");
    lab.assert_same("here", "there");

    // Without a key, and with that of a worker.
    let refused = |more: &[&str]| {
        let mut run = lab.command("run", &config, "refused", true);
        let run = run.args(more).output().expect("ended");
        let said = String::from_utf8_lossy(&run.stderr).into_owned();
        assert_eq!(run.status.code(), Some(2), "{said}");
        assert!(!said.contains("panicked"), "{said}");
        said
    };
    let said = refused(&[]);
    assert!(
        said.contains("authorization violation") && said.contains("--creds"),
        "{said}"
    );
    let said = refused(&["--creds", &worker]);
    assert!(said.contains("JOBS"), "{said}");

    // A worker that issues jobs itself.
    let address = Address {
        url: lab.url(),
        credentials: Some(lab.path("worker.nk")),
        authority: None,
    };
    let said = Arc::new(Mutex::new(String::new()));
    let heard = said.clone();
    let say: Say = Arc::new(move |text: &str| heard.lock().unwrap().push_str(text));
    let link = Link::open(&address, Role::Worker, "sparring worker x", say).expect("connected");
    let sent = link.publish(vec![("jobs.x.1".to_string(), b"x".to_vec())]);
    assert!(sent[0].is_err());
    let said = said.lock().unwrap().to_lowercase();
    assert!(said.contains("permissions violation"), "{said}");

    // No key is in what was said.
    for text in [
        lab.text("a.log"),
        lab.text("b.log"),
        lab.text("server.log"),
        said,
    ] {
        assert!(!text.contains(COORDINATOR[0]) && !text.contains(WORKER[0]));
    }
}

#[test]
fn a_worker_without_a_key_and_an_address_with_a_password_are_refused() {
    let lab = guarded_lab();
    let refused = |args: &[&str]| {
        let output = sparring(args).output().expect("ended");
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{said}");
        said
    };
    let said = refused(&["worker", &lab.url()]);
    assert!(
        said.contains("authorization violation") && said.contains("--creds"),
        "{said}"
    );
    let said = refused(&["worker", "nats://me:secret@127.0.0.1:4222"]);
    assert!(
        said.contains("--creds") && !said.contains("secret"),
        "{said}"
    );
    let key = lab.write("wrong.nk", "not a key");
    let said = refused(&["worker", &lab.url(), "--creds", &key]);
    assert!(said.contains("wrong.nk: neither"), "{said}");
}

/// Returns other results than were played.
struct Liar {
    player: Player,
    honest_jobs: u64,
}

impl Hand for Liar {
    fn play(
        &mut self,
        job: &Job,
        opened: &Opened,
        alive: &(dyn Fn() + Sync),
        stop: &AtomicBool,
    ) -> Result<Option<Vec<PlayedPair>>, ClusterError> {
        let mut played = self.player.play(job, opened, alive, stop)?;
        if self.honest_jobs > 0 {
            self.honest_jobs -= 1;
            return Ok(played);
        }
        for pair in played.iter_mut().flatten() {
            for game in &mut pair.games {
                game.result = match game.result {
                    GameResult::WhiteWins => GameResult::Draw,
                    _ => GameResult::WhiteWins,
                };
            }
        }
        Ok(played)
    }
}

fn link(lab: &Lab, role: Role) -> Link {
    let address = Address {
        url: lab.url(),
        ..Address::default()
    };
    let say: Say = Arc::new(|_: &str| {});
    Link::open(&address, role, "sparring test", say).expect("connected")
}

/// Flags that live as long as the test program.
fn flags() -> Flags {
    let flag = || &*Box::leak(Box::new(AtomicBool::new(false)));
    Flags {
        finish: flag(),
        now: flag(),
    }
}

#[test]
fn a_worker_that_lies_is_named_and_its_games_are_played_by_others() {
    let mut lab = Lab::new();
    let config = lab.write("test.toml", TEST);
    lab.succeeds("run", &config, "here", false);
    let flags = flags();
    let worker = Worker::new(
        link(&lab, Role::Worker),
        "liar",
        1,
        LocalEngines::default(),
        Box::new(|_: WorkerEvent| {}),
    );
    let thread = std::thread::spawn(move || {
        worker.run(flags, || Liar {
            player: Player::default(),
            honest_jobs: 0,
        })
    });
    let run = lab
        .command("run", &config, "there", true)
        .spawn()
        .expect("started");
    // The liar alone, so that it cannot come too late.
    let said = read_until(run, "worker `liar` returned other games for pair", || {
        lab.worker("a", &[]);
    });
    assert!(said.contains("are played again"), "{said}");
    lab.assert_same("here", "there");
    flags.finish.store(true, Ordering::Relaxed);
    thread.join().expect("ended");
}

/// Reads what a run says until it says `awaited`, then does `then` and waits for its success.
fn read_until(mut run: std::process::Child, awaited: &str, then: impl FnOnce()) -> String {
    use std::io::{BufRead, BufReader};
    let mut said = String::new();
    let mut lines = BufReader::new(run.stderr.take().expect("its standard error")).lines();
    for line in lines.by_ref() {
        said.push_str(&line.expect("text"));
        said.push('\n');
        if said.contains(awaited) {
            break;
        }
    }
    assert!(said.contains(awaited), "{said}");
    then();
    lines.for_each(|line| said.push_str(&line.expect("text")));
    let status = run.wait().expect("ended");
    assert!(status.success(), "{said}");
    said
}

#[test]
fn a_worker_of_another_version_is_refused_by_name() {
    let mut lab = Lab::new();
    let config = lab.write("test.toml", TEST);
    lab.worker("old", &[]);
    let loaded = config::load(Path::new(&config), &[]).expect("a config");
    let mut spec = Spec::new(SpecKind::Run, loaded.game, &loaded.resolved, &[]).expect("a spec");
    spec.head.code.program = "sparring 99.0.0".to_string();
    let said = Arc::new(Mutex::new(String::new()));
    let heard = said.clone();
    let say: Say = Arc::new(move |text: &str| heard.lock().unwrap().push_str(text));
    let terms = Terms {
        priority: 5,
        ack_wait: Duration::from_secs(2),
    };
    let directory = lab.path("there");
    let mut coordinator = Coordinator::open(
        link(&lab, Role::Coordinator),
        ("test", &directory),
        spec,
        terms,
        SharedCrew::default(),
        say,
    )
    .expect("a coordinator");
    let course = Course {
        experiment: &loaded.experiment,
        work: Work::Run,
        range: 1..=20,
    };
    let is_refused = || said.lock().unwrap().contains("worker `old` does not play");
    let played = coordinator.play::<ClusterError>(&course, &is_refused, |_| {
        panic!("a pair of a worker of another version")
    });
    played.expect("refused in order");
    coordinator.close(true).expect("closed");
    let said = said.lock().unwrap().clone();
    assert!(
        said.contains("the experiment needs sparring 99.0.0") && said.contains("same build"),
        "{said}"
    );
    let log = lab.text("old.log");
    assert!(
        log.contains("refused") && log.contains("sparring 99.0.0"),
        "{log}"
    );
}

#[test]
fn a_config_from_the_wire_names_no_file_and_starts_no_program() {
    let open = |player: &str, openings: &str, engines: &LocalEngines| {
        let config = format!(
            "game = \"chess\"\nname = \"x\"\n[openings]\nsource = \"{openings}\"\n[[player]]\nname = \
             \"a\"\nevaluator = \"material\"\ndepth = 1\n[[player]]\nname = \"b\"\n{player}\ndepth = 1\n"
        );
        let game = sparring::eval::catalog::GameId::from_name("chess").expect("a game");
        let spec = Spec::new(SpecKind::Run, game, &config, &[]).expect("a spec");
        spec.open(engines).err().map(|error| error.to_string())
    };
    let none = LocalEngines::default();
    let material = "evaluator = \"material\"";
    assert_eq!(open(material, "random", &none), None);
    for (player, openings, expected) in [
        (material, "/etc/passwd.epd", "names a file of this machine"),
        (material, "../x.epd", "names a file of this machine"),
        (
            "evaluator = \"/tmp/net.safetensors\"",
            "random",
            "names a file",
        ),
        ("engine = \"/bin/sh\"", "random", "--engines FILE with sh ="),
    ] {
        let said = open(player, openings, &none).expect("refused");
        assert!(said.contains(expected), "{said}");
    }
    let folder = tempfile::tempdir().expect("a folder");
    let list = folder.path().join("engines.toml");
    fs::write(&list, "sh = \"/bin/sh\"\n").expect("written");
    let listed = LocalEngines::read(&list).expect("a list");
    assert_eq!(
        open("engine = \"/opt/elsewhere/sh\"", "random", &listed),
        None
    );
    let said = open(
        "engine = \"sh\"\nargs = [\"-c\", \"true\"]",
        "random",
        &listed,
    );
    assert!(
        said.expect("refused")
            .contains("passes nothing from elsewhere")
    );
    fs::write(&list, "sh = \"sh\"\n").expect("written");
    assert!(LocalEngines::read(&list).is_err());
}
