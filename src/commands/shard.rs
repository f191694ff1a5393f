//! The option `--shard`: which part of a run to play.

use std::str::FromStr;

use super::Failure;
use crate::record::ShardEntry;

/// `K/N`, `auto` or `auto/N`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ShardArg {
    part: u64,
    parts: u64,
}

impl ShardArg {
    /// The pairs of this part.
    pub fn part(self, pairs: u64) -> Result<ShardEntry, Failure> {
        ShardEntry::new(self.part, self.parts, pairs).ok_or_else(|| {
            Failure::bad_input(format!(
                "--shard {}/{}: the run has {pairs} opening pairs; use at most as many parts",
                self.part, self.parts
            ))
        })
    }

    fn parse(text: &str, variable: &dyn Fn(&str) -> Option<String>) -> Result<ShardArg, String> {
        let number = |text: &str| -> Result<u64, String> {
            text.parse().map_err(|_| {
                format!("`{text}` is not a whole number; expected K/N, auto or auto/N")
            })
        };
        let (part, parts) = match text.split_once('/') {
            Some(("auto", parts)) => (task(variable)?, number(parts)?),
            Some((part, parts)) => (number(part)?, number(parts)?),
            None if text == "auto" => {
                let parts = variable("SLURM_ARRAY_TASK_COUNT").ok_or(
                    "the number of parts is unknown: SLURM_ARRAY_TASK_COUNT is not set; use auto/N",
                )?;
                (task(variable)?, number(&parts)?)
            }
            None => return Err("expected K/N, auto or auto/N".to_string()),
        };
        if part == 0 || part > parts {
            return Err(format!("part {part} of {parts}: parts count from 1 to N"));
        }
        Ok(ShardArg { part, parts })
    }
}

impl FromStr for ShardArg {
    type Err = String;

    fn from_str(text: &str) -> Result<ShardArg, String> {
        ShardArg::parse(text, &|name| std::env::var(name).ok())
    }
}

/// The part of this process: the place of a SLURM array task in its array, or the index of a
/// Kubernetes job.
fn task(variable: &dyn Fn(&str) -> Option<String>) -> Result<u64, String> {
    let number = |name: &str| -> Result<Option<u64>, String> {
        let Some(text) = variable(name) else {
            return Ok(None);
        };
        let number = text.trim().parse();
        number
            .map(Some)
            .map_err(|_| format!("{name}={text}: expected a whole number"))
    };
    if let Some(id) = number("SLURM_ARRAY_TASK_ID")? {
        let least = number("SLURM_ARRAY_TASK_MIN")?.unwrap_or(1);
        let step = number("SLURM_ARRAY_TASK_STEP")?.unwrap_or(1).max(1);
        return Ok(id.saturating_sub(least) / step + 1);
    }
    match number("JOB_COMPLETION_INDEX")? {
        Some(index) => Ok(index.saturating_add(1)),
        None => Err(
            "neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX is set; give the part as K/N"
                .to_string(),
        ),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, variables: &[(&str, &str)]) -> Result<(u64, u64), String> {
        let variable = |name: &str| {
            let found = variables.iter().find(|(known, _)| *known == name);
            found.map(|(_, value)| value.to_string())
        };
        ShardArg::parse(text, &variable).map(|shard| (shard.part, shard.parts))
    }

    #[test]
    fn a_part_is_given_or_taken_from_the_scheduler() {
        assert_eq!(parse("2/5", &[]), Ok((2, 5)));
        let slurm = [
            ("SLURM_ARRAY_TASK_ID", "7"),
            ("SLURM_ARRAY_TASK_MIN", "3"),
            ("SLURM_ARRAY_TASK_STEP", "2"),
            ("SLURM_ARRAY_TASK_COUNT", "4"),
        ];
        assert_eq!(parse("auto", &slurm), Ok((3, 4)));
        assert_eq!(parse("auto/9", &slurm), Ok((3, 9)));
        let kubernetes = [("JOB_COMPLETION_INDEX", "0")];
        assert_eq!(parse("auto/3", &kubernetes), Ok((1, 3)));
        let refused = parse("auto", &kubernetes).unwrap_err();
        assert!(refused.contains("use auto/N"), "{refused}");
    }

    #[test]
    fn impossible_parts_are_refused() {
        for text in ["0/3", "4/3", "1/0", "one/3", "1", "1/3/5", "", "-1/3"] {
            assert!(parse(text, &[]).is_err(), "{text}");
        }
        assert!(parse("auto/3", &[]).unwrap_err().contains("K/N"));
        assert!(parse("auto/3", &[("SLURM_ARRAY_TASK_ID", "x")]).is_err());
    }
}
