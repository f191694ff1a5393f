//! The state of a training run as a safetensors file, which holds its own checksum.

use std::collections::BTreeMap;

use super::{Train, TrainFigures};
use crate::eval::net::{Tensor, TensorData, read_tensors, write_tensors};

const FORMAT: &str = "sparring training 2";

/// The place of the checksum in the header. It is computed with zeros there.
const SEAL: &str = "\"checksum\":\"";
const BLANK: &str = "00000000";

/// An error unless the bytes are those of a checkpoint as it was written.
pub fn verify_checkpoint(bytes: &[u8]) -> Result<(), String> {
    let place = place_of_seal(bytes).ok_or("not a checkpoint of this version, or damaged")?;
    let (from, to) = (place, place + BLANK.len());
    let mut blank = bytes.to_vec();
    blank[from..to].copy_from_slice(BLANK.as_bytes());
    match bytes[from..to] == *checksum(&blank).as_bytes() {
        true => Ok(()),
        false => Err("does not match its own checksum".to_string()),
    }
}

fn checksum(bytes: &[u8]) -> String {
    format!("{:08x}", crc32fast::hash(bytes))
}

/// The first of the checksum's digits. Keys are sorted, so only numbers stand before it.
fn place_of_seal(bytes: &[u8]) -> Option<usize> {
    let found = bytes
        .windows(SEAL.len())
        .position(|window| window == SEAL.as_bytes());
    let place = found? + SEAL.len();
    (place + BLANK.len() <= bytes.len()).then_some(place)
}

impl Train {
    /// Everything that the rest of the run depends on, besides its config and data.
    pub fn checkpoint(&self) -> Vec<u8> {
        let last = self.last;
        let validation = last
            .validation_loss
            .map_or(String::new(), |loss| loss.to_string());
        let metadata = [
            ("checksum", BLANK.to_string()),
            ("format", FORMAT.to_string()),
            ("step", self.step.to_string()),
            ("batch", self.batch.to_string()),
            ("train_loss", last.train_loss.to_string()),
            ("validation_loss", validation),
            ("rate", last.rate.to_string()),
            (
                "best_loss",
                self.best_loss
                    .map_or(String::new(), |loss| loss.to_string()),
            ),
        ];
        let metadata = metadata.map(|(key, value)| (key.to_string(), value));
        let tensor = |name: &str, numbers: &[f32]| {
            Tensor::new(name, &[numbers.len()], TensorData::F32(numbers.to_vec()))
        };
        let mut tensors = vec![
            tensor("mean", &self.mean),
            tensor("square", &self.square),
            tensor("values", self.learner.values()),
        ];
        if !self.best.is_empty() {
            tensors.push(tensor("best", &self.best));
        }
        let mut bytes = write_tensors(&BTreeMap::from(metadata), &tensors);
        let seal = checksum(&bytes);
        if let Some(place) = place_of_seal(&bytes) {
            bytes[place..place + seal.len()].copy_from_slice(seal.as_bytes());
        }
        bytes
    }

    /// Continues from a checkpoint; the error says what is wrong with it.
    pub fn restore(&mut self, bytes: &[u8]) -> Result<(), String> {
        verify_checkpoint(bytes)?;
        let (metadata, tensors) = read_tensors(bytes).map_err(|error| error.to_string())?;
        if metadata.get("format").map(String::as_str) != Some(FORMAT) {
            return Err("not a checkpoint of this version".to_string());
        }
        let text = |key: &str| metadata.get(key).ok_or_else(|| format!("no `{key}`"));
        fn number<T: std::str::FromStr>(key: &str, text: &str) -> Result<T, String> {
            text.parse().map_err(|_| format!("{key} = `{text}`"))
        }
        let validation = text("validation_loss")?;
        let last = TrainFigures {
            train_loss: number("train_loss", text("train_loss")?)?,
            validation_loss: match validation.is_empty() {
                true => None,
                false => Some(number("validation_loss", validation)?),
            },
            rate: number("rate", text("rate")?)?,
            positions: 0,
        };
        let (step, batch) = (
            number("step", text("step")?)?,
            number("batch", text("batch")?)?,
        );
        let best = text("best_loss")?;
        self.best_loss = match best.is_empty() {
            true => None,
            false => Some(number("best_loss", best)?),
        };
        let size = self.learner.values().len();
        for tensor in tensors {
            let to = match tensor.name.as_str() {
                "best" => &mut self.best,
                "mean" => &mut self.mean,
                "square" => &mut self.square,
                "values" => self.learner.values_mut(),
                name => return Err(format!("a tensor `{name}`")),
            };
            match tensor.data {
                TensorData::F32(numbers) if numbers.len() == size => *to = numbers,
                _ => return Err(format!("tensor `{}` is of another net", tensor.name)),
            }
        }
        (self.step, self.batch, self.last) = (step, batch, last);
        Ok(())
    }
}
