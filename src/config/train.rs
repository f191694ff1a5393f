//! The keys of `[tune]` for the method `train`.

use std::path::Path;

use super::read::{Reader, mismatch, read_file};
use super::source::ConfigError;
use super::weights::{NamedEvaluator, expanded};
use crate::eval::Weights;
use crate::eval::catalog::GameId;
use crate::eval::patterns::PatternSet;
use crate::tune::fit::Loss;
use crate::tune::quiet::Quiet;
use crate::tune::train::TrainSettings;

/// The patterns that a file names.
fn read_patterns(keys: &Reader<'_>, game: GameId) -> Result<Option<PatternSet>, ConfigError> {
    let file = keys.text("patterns")?;
    if file.is_empty() {
        return Ok(None);
    }
    let place = &keys.node("patterns")?.place;
    let text = read_file(Path::new(file)).map_err(|error| ConfigError::at(place, error.message))?;
    let set = PatternSet::parse(&text);
    // The file and line of the error; the key that named the file is clear from it.
    let set = set.map_err(|error| ConfigError::bare(format!("{file}:{error}")))?;
    if set.game != game {
        let message = format!(
            "{file}: patterns for {}, not for {}",
            set.game.name(),
            game.name()
        );
        return Err(ConfigError::at(place, message));
    }
    Ok(Some(set))
}

pub(super) fn read_train(keys: &Reader<'_>, game: GameId) -> Result<TrainSettings, ConfigError> {
    let hidden = keys.size("hidden")?;
    if !hidden.is_multiple_of(16) {
        return Err(mismatch("hidden", keys.node("hidden")?, "a multiple of 16"));
    }
    let scale = keys.number("scale")?;
    if (100.0 * scale).fract() != 0.0 {
        return Err(mismatch(
            "scale",
            keys.node("scale")?,
            "at most two decimals",
        ));
    }
    Ok(TrainSettings {
        hidden,
        buckets: keys.size("buckets")?,
        patterns: read_patterns(keys, game)?,
        shrink: keys.number("shrink")?,
        epochs: keys.whole("epochs")? as u64,
        batch_size: keys.size("batch_size")?,
        learning_rate: keys.number("learning_rate")?,
        weight_decay: keys.number("weight_decay")?,
        loss: keys.choice("loss", &Loss::ALL, Loss::name)?,
        scale,
        score_share: keys.number("score_share")?,
        teacher: teacher_name(keys.text("teacher")?),
        variations: keys.whole("variations")? as u64,
        validation: keys.number("validation")?,
        quiet: keys.choice("quiet", &Quiet::ALL, Quiet::name)?,
    })
}

/// The teacher without its folder, which says nothing of what it taught.
fn teacher_name(given: &str) -> String {
    let path = Path::new(given);
    path.file_name()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned()
}

pub(super) fn read_teacher(
    keys: &Reader<'_>,
    game: GameId,
) -> Result<Option<(&'static str, Weights)>, ConfigError> {
    let name = keys.text("teacher")?;
    if name.is_empty() {
        return Ok(None);
    }
    let named = NamedEvaluator::find(game, name, None, &keys.node("teacher")?.place)?;
    let entries = expanded(&named.overrides, named.preset.terms());
    let weights = named.weights_with(game, &entries)?;
    Ok(Some((named.preset.name(), weights)))
}
