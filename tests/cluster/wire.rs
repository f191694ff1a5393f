//! No bytes from the wire cause a panic.

use std::sync::LazyLock;

use proptest::prelude::*;
use sparring::cluster::{
    Announcement, Hello, Job, JobResult, LocalEngines, Spec, SpecKind, Work, deflate, pack,
};
use sparring::eval::catalog::GameId;

const CONFIG: &str = "game = \"checkers\"\nname = \"x\"\n[match]\npairs = 9\n[[player]]\nname = \"a\"\nevaluator = \
                      \"material\"\ndepth = 1\n[[player]]\nname = \"b\"\nevaluator = \"basic\"\ndepth = 1\n";

fn game() -> GameId {
    GameId::from_name("checkers").expect("a game")
}

static SPEC: LazyLock<Spec> = LazyLock::new(|| {
    let files = [("a.fen".to_string(), vec![7; 40])];
    Spec::new(SpecKind::Run, game(), CONFIG, &files).expect("a spec")
});

fn decode_all(bytes: &[u8]) {
    let _ = Job::decode(bytes);
    let _ = JobResult::decode(bytes);
    let _ = Hello::decode(bytes);
    let _ = Announcement::decode(bytes);
    if let Ok(spec) = Spec::decode(bytes) {
        let _ = spec.open(&LocalEngines::default());
    }
}

/// JSON values in the shape of messages, with numbers at the edges.
fn messages() -> impl Strategy<Value = String> {
    let number = prop_oneof![
        Just("0".to_string()),
        Just("1".to_string()),
        Just("64".to_string()),
        Just(u64::MAX.to_string()),
        Just("281474976710656".to_string()),
        Just("-1".to_string()),
        any::<u64>().prop_map(|number| number.to_string()),
    ];
    let numbers = prop::collection::vec(number, 8);
    let work = prop_oneof![
        Just("\"run\"".to_string()),
        Just("{\"stage\":{\"pairings\":[{\"first\":N0,\"second\":N1}],\"pairs_each\":N2,\"first_pair\":N3,\"share\":\"InTurn\"}}".to_string()),
        Just("{\"stage\":{\"pairings\":[{\"first\":0,\"second\":1}],\"pairs_each\":N2,\"first_pair\":N3,\"share\":{\"Lanes\":{\"count\":N4,\"of\":[N5],\"before\":N6}}}}".to_string()),
        Just("{\"duels\":{\"first_pair\":N0,\"pairs_each\":N1,\"values\":[[[N2],[N3]]]}}".to_string()),
    ];
    (work, numbers).prop_map(|(work, numbers)| {
        let mut text = format!("{{\"first\":N7,\"count\":N6,\"not\":null,\"work\":{work}}}");
        for (index, number) in numbers.iter().enumerate() {
            text = text.replace(&format!("N{index}"), number);
        }
        text
    })
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in prop::collection::vec(any::<u8>(), 0..400)) {
        decode_all(&bytes);
        decode_all(&deflate(&bytes).expect("packed"));
    }

    #[test]
    fn jobs_with_any_numbers_are_refused_or_of_the_experiment(text in messages()) {
        let packed = deflate(text.as_bytes()).expect("packed");
        decode_all(&packed);
        if let Ok(job) = Job::decode(&packed) {
            let opened = SPEC.open(&LocalEngines::default()).expect("a config");
            if let Ok(experiment) = opened.experiment(&job) {
                for pair in [job.first, job.last()] {
                    let (_, pairing) = experiment.schedule.pairing_of(pair);
                    prop_assert!(pairing.first < 2 && pairing.second < 2);
                    experiment.schedule.opening_of(pair, 7);
                }
            }
        }
    }

    #[test]
    fn a_message_with_flipped_bits_is_read_or_refused(at in any::<prop::sample::Index>(), bit in 0..8_u8) {
        let job = Job { first: 3, count: 4, not: Some("me".to_string()), work: Work::Run };
        let spec = SPEC.encode().expect("packed");
        for mut bytes in [pack(&job).expect("packed"), spec] {
            let at = at.index(bytes.len());
            bytes[at] ^= 1 << bit;
            decode_all(&bytes);
        }
    }
}

#[test]
fn messages_read_as_they_were_written() {
    let job = Job {
        first: 3,
        count: 4,
        not: Some("me".to_string()),
        work: Work::Run,
    };
    assert_eq!(Job::decode(&pack(&job).expect("packed")), Ok(job));
    let files = [
        ("a.fen".to_string(), vec![7; 40]),
        ("b.fen".to_string(), Vec::new()),
    ];
    let spec = Spec::new(SpecKind::Run, game(), CONFIG, &files).expect("a spec");
    assert_eq!(Spec::decode(&spec.encode().expect("packed")), Ok(spec));
}

#[test]
fn a_message_that_expands_beyond_the_limit_is_refused() {
    let bomb = deflate(&vec![b' '; 80 << 20]).expect("packed");
    assert!(bomb.len() < 1_000_000);
    let refused = Job::decode(&bomb).expect_err("too large").to_string();
    assert!(refused.contains("at most"), "{refused}");
    assert!(Spec::decode(&bomb).is_err());
}
