//! The file format of patterns, as bytes: safetensors, like the files of nets.

use super::{PatternParts, PatternSet, Patterns};
use crate::eval::net::{
    Metadata, NetError, ReadTensors, Tensor, TensorData, read_tensors, write_tensors,
};

pub(super) const WEIGHTS: &str = "weights";
pub(super) const MATERIAL: &str = "material";
pub(super) const TEMPO: &str = "tempo";

/// The value of `format` in the metadata of patterns.
pub const MAGIC: &str = "sparring patterns 1";

/// Keys of the metadata with a meaning; all others are provenance.
const KEYS: [&str; 5] = ["format", "game", "patterns", "step", "scale"];

impl PatternParts {
    /// The patterns as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut metadata = self.provenance.clone();
        let values = [
            MAGIC.to_string(),
            self.set.game.name().to_string(),
            self.set.text(),
            self.step.to_string(),
            self.scale.to_string(),
        ];
        metadata.extend(KEYS.map(str::to_string).into_iter().zip(values));
        let stages = self.set.stages;
        let tensor = |name: &str, numbers: &[i16]| {
            let shape = [numbers.len() / stages, stages];
            Tensor::new(name, &shape, TensorData::I16(numbers.to_vec()))
        };
        let tensors = [
            tensor(MATERIAL, &self.material),
            tensor(TEMPO, &self.tempo),
            tensor(WEIGHTS, &self.weights),
        ];
        write_tensors(&metadata, &tensors)
    }

    pub(in crate::eval) fn from_tensors(
        (metadata, tensors): ReadTensors,
    ) -> Result<PatternParts, NetError> {
        let meta = Metadata(&metadata);
        meta.expect("format", MAGIC)?;
        let text = meta.get("patterns")?;
        let set = PatternSet::parse(text)
            .map_err(|error| NetError::Foreign(format!("metadata patterns:{error}")))?;
        meta.expect("game", set.game.name())?;
        let mut parts = PatternParts {
            set,
            step: meta.number("step", "a whole number")?,
            scale: meta.number("scale", "a number")?,
            weights: Vec::new(),
            material: Vec::new(),
            tempo: Vec::new(),
            provenance: metadata
                .iter()
                .filter(|(key, _)| !KEYS.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        };
        for tensor in tensors {
            match (tensor.name.as_str(), tensor.data) {
                (WEIGHTS, TensorData::I16(numbers)) => parts.weights = numbers,
                (MATERIAL, TensorData::I16(numbers)) => parts.material = numbers,
                (TEMPO, TensorData::I16(numbers)) => parts.tempo = numbers,
                (name, data) => {
                    let what = format!("a tensor `{name}` of {}", data.name());
                    return Err(NetError::Foreign(what));
                }
            }
        }
        Ok(parts)
    }
}

impl Patterns {
    /// Reads the patterns of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Patterns, NetError> {
        Patterns::new(PatternParts::from_tensors(read_tensors(bytes)?)?)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts.to_bytes()
    }
}
