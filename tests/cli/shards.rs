//! A run played in parts and joined is the run of one machine, byte for byte.

use std::fs;
use std::path::Path;

use crate::common::{complaint, output, stdout, text};
use crate::lab::{Lab, assert_same_runs};

const TOURNAMENT: &str = r#"
name = "parts"
game = "checkers"
seed = 4
[match]
pairs = 4
[log]
moves = true
[openings]
plies = 4
[[player]]
name = "one"
evaluator = "basic"
depth = 1
[[player]]
name = "two"
evaluator = "basic"
depth = 2
[[player]]
name = "three"
evaluator = "material"
depth = 1
"#;

const TEST: &str = r#"
name = "parts"
game = "checkers"
[match]
pairs = 120
[openings]
plies = 5
[sprt]
elo0 = 0.0
elo1 = 100.0
[[player]]
name = "deeper"
evaluator = "basic"
depth = 3
[[player]]
name = "shallow"
evaluator = "basic"
depth = 1
"#;

impl Lab {
    /// Plays all parts; returns their directories.
    fn shards(&self, parts: u64) -> Vec<String> {
        let names = (1..=parts).map(|part| {
            let name = format!("shard-{part}");
            let printed = self.run(&name, &["--shard", &format!("{part}/{parts}")]);
            let last = printed.lines().last().expect("a line");
            assert_eq!(last, format!("shard: {}", self.path(&name)));
            self.path(&name)
        });
        names.collect()
    }

    fn merge(&self, out: &str, shards: &[String], more: &[&str]) -> Vec<String> {
        let mut args: Vec<String> = ["merge", "--quiet", "--out"].map(String::from).to_vec();
        args.push(self.path(out));
        args.extend(shards.iter().cloned());
        args.extend(more.iter().map(|word| word.to_string()));
        args
    }

    fn merged(&self, out: &str, shards: &[String]) -> String {
        let args = self.merge(out, shards, &[]);
        stdout(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }

    fn refused(&self, out: &str, shards: &[String]) -> String {
        let args = self.merge(out, shards, &[]);
        complaint(&args.iter().map(String::as_str).collect::<Vec<_>>())
    }
}

fn assert_same(one: &str, other: &str) {
    assert_same_runs(Path::new(one), Path::new(other));
}

#[test]
fn merged_shards_are_the_run_of_one_machine() {
    let lab = Lab::new(TOURNAMENT);
    let whole = lab.run("whole", &["--threads", "1"]);
    let mut shards = lab.shards(3);
    // In any order, one of them twice, and with a part of another split that agrees.
    shards.reverse();
    shards.push(shards[0].clone());
    lab.run("half", &["--shard", "1/2"]);
    shards.push(lab.path("half"));
    let merged = lab.merged("merged", &shards);
    assert_same(&lab.path("whole"), &lab.path("merged"));
    assert_eq!(
        whole.replace(&lab.path("whole"), ""),
        merged.replace(&lab.path("merged"), "")
    );
    // The merged directory is a run like any other.
    lab.run("merged", &[]);
    assert_same(&lab.path("whole"), &lab.path("merged"));
}

#[test]
fn a_sequential_test_is_decided_when_its_parts_are_merged() {
    let lab = Lab::new(TEST);
    lab.run("whole", &[]);
    let shards = lab.shards(4);
    let rows = |run: &str| {
        text(&Path::new(&lab.path(run)).join("games.csv"))
            .lines()
            .count()
    };
    assert!(rows("whole") < 200, "the test stops early");
    lab.merged("merged", &shards);
    assert_same(&lab.path("whole"), &lab.path("merged"));
    // Parts behind the decision are not needed.
    lab.merged("early", &shards[..3]);
    assert_same(&lab.path("whole"), &lab.path("early"));
    let expect = lab.merge("other", &shards, &["--expect", "h0"]);
    let refused = output(&expect.iter().map(String::as_str).collect::<Vec<_>>());
    assert_eq!(refused.status.code(), Some(1));
}

#[test]
fn a_killed_shard_resumes_and_an_unfinished_one_is_named() {
    let lab = Lab::new(&TEST.replace("[sprt]\nelo0 = 0.0\nelo1 = 100.0\n", ""));
    lab.run("whole", &[]);
    let mut second = lab.start("second", &["--shard", "2/2"]);
    assert!(second.sees_pairs(5));
    second.kill();
    lab.run("first", &["--shard", "1/2"]);
    let shards = [lab.path("first"), lab.path("second")];
    let refused = lab.refused("merged", &shards);
    assert!(refused.contains("to 120 are missing"), "{refused}");
    assert!(refused.contains("run its command again"), "{refused}");
    lab.run("second", &["--shard", "2/2"]);
    // What was merged before stays; the rest is added.
    lab.merged("merged", &shards);
    assert_same(&lab.path("whole"), &lab.path("merged"));
    let refused = lab.refused("gap", &shards[1..]);
    assert!(
        refused.contains("pairs 1 to 60 are missing: no shard holds them"),
        "{refused}"
    );
}

#[test]
fn shards_that_do_not_belong_together_are_refused() {
    let lab = Lab::new(TOURNAMENT);
    let shards = lab.shards(2);
    lab.run("whole", &[]);
    let refused = lab.refused("merged", &[lab.path("whole")]);
    assert!(
        refused.contains("not a shard, but a whole run"),
        "{refused}"
    );
    lab.run("other", &["--shard", "2/2", "--seed", "9"]);
    let refused = lab.refused("merged", &[shards[0].clone(), lab.path("other")]);
    assert!(refused.contains("shards of other experiments"), "{refused}");
    // A flipped bit is found before anything is written.
    let games = Path::new(&shards[1]).join("games.csv");
    let good = fs::read(&games).expect("games");
    let mut bad = good.clone();
    bad[good.len() / 2] ^= 1;
    fs::write(&games, &bad).expect("written");
    let refused = lab.refused("merged", &shards);
    assert!(refused.contains("games.csv:"), "{refused}");
    assert!(refused.contains("checksum"), "{refused}");
    assert!(!Path::new(&lab.path("merged")).exists());
    fs::write(&games, &good).expect("written");
    // A part is not resumed as another part, or as the whole.
    for more in [
        &["--shard", "1/2"][..],
        &[],
        &["--shard", "2/2", "--pairs", "8"],
    ] {
        let refused = lab.refused_run("shard-2", more);
        assert!(refused.contains("another --out"), "{refused}");
    }
    for (shard, expected) in [
        ("3/2", "parts count from 1 to N"),
        ("1/99", "at most as many parts"),
        ("auto", "SLURM_ARRAY_TASK_COUNT is not set"),
    ] {
        let refused = lab.refused_run("x", &["--shard", shard]);
        assert!(refused.contains(expected), "{refused}");
    }
}

#[test]
fn shards_that_disagree_about_a_pair_are_named() {
    let lab = Lab::new(TOURNAMENT);
    let half = |name: &str| {
        lab.run(name, &["--shard", "1/2"]);
        lab.path(name)
    };
    let (one, two) = (half("one"), half("two"));
    lab.run("rest", &["--shard", "2/2"]);
    // Another result, with checksums that fit: what a wrong program would write.
    let run = Path::new(&two);
    let games = text(&run.join("games.csv"));
    let row = games.lines().nth(5).expect("a row of the third pair");
    let other = if row.contains(",1-0,") {
        row.replace(",1-0,", ",0-1,")
    } else {
        row.replace(",0-1,", ",1-0,").replace(",1/2-1/2,", ",1-0,")
    };
    assert_ne!(row, other);
    let changed = games.replacen(row, &other, 1);
    fs::write(run.join("games.csv"), &changed).expect("written");
    let pair = |text: &str| -> String {
        let rows = text.lines().skip(5).take(2);
        rows.map(|row| format!("{row}\n")).collect()
    };
    let stamp = |text: String| format!("{}:{:08x}", text.len(), crc32fast::hash(text.as_bytes()));
    let sums = text(&run.join("checksums.csv"));
    let fitting = sums.replacen(&stamp(pair(&games)), &stamp(pair(&changed)), 1);
    assert_ne!(sums, fitting);
    fs::write(run.join("checksums.csv"), fitting).expect("written");
    let refused = lab.refused("merged", &[one.clone(), two, lab.path("rest")]);
    assert!(
        refused.contains("pair 3 differs from the same pair in"),
        "{refused}"
    );
    assert!(refused.contains(&one), "{refused}");
}
