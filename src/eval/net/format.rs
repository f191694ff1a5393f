//! The file format of nets, as bytes: safetensors, which NumPy and PyTorch read. A length of eight
//! bytes, a JSON header that names type, shape and place of every tensor, then their numbers, in
//! little-endian order.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Net, NetParts, NetShape, QA, QB};
use crate::games::chess::Chess;
use crate::games::prelude::*;

pub(super) const FEATURE_WEIGHTS: &str = "feature_weights";
pub(super) const FEATURE_BIASES: &str = "feature_biases";
pub(super) const OUTPUT_WEIGHTS: &str = "output_weights";
pub(super) const OUTPUT_BIASES: &str = "output_biases";

/// The value of `format` in the metadata of a net.
pub const MAGIC: &str = "sparring net 1";

/// Keys of the metadata with a meaning; all others are provenance.
const KEYS: [&str; 12] = [
    "format",
    "game",
    "features",
    "activation",
    "squares",
    "kinds",
    "hidden",
    "buckets",
    "most_pieces",
    "mirrored",
    "scale",
    "quantisation",
];

const FEATURES: &str = "piece-square, mover's view and opponent's view";
const ACTIVATION: &str = "screlu";

/// Why bytes are not a net, nor patterns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NetError {
    /// The container is damaged.
    Damaged(String),
    /// Tensors or metadata of something else.
    Foreign(String),
    Metadata {
        key: &'static str,
        value: String,
        expected: String,
    },
    Length {
        name: &'static str,
        found: usize,
        expected: usize,
    },
    /// The sum of a hidden unit can exceed 16 bits.
    Overflow { unit: usize },
}

impl fmt::Display for NetError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NetError::Damaged(what) => write!(f, "damaged: {what}"),
            NetError::Foreign(what) => write!(f, "not a net or patterns of Sparring: {what}"),
            NetError::Metadata {
                key,
                value,
                expected,
            } => write!(f, "metadata {key} = `{value}`: expected {expected}"),
            NetError::Length {
                name,
                found,
                expected,
            } => write!(
                f,
                "tensor `{name}` has {found} numbers, expected {expected}"
            ),
            NetError::Overflow { unit } => write!(
                f,
                "hidden unit {unit} can exceed 16 bits; clip the weights in training"
            ),
        }
    }
}

impl std::error::Error for NetError {}

/// The numbers of a tensor.
#[derive(Clone, Debug, PartialEq)]
pub enum TensorData {
    I16(Vec<i16>),
    I32(Vec<i32>),
    F32(Vec<f32>),
}

impl TensorData {
    pub const fn name(&self) -> &'static str {
        match self {
            TensorData::I16(_) => "I16",
            TensorData::I32(_) => "I32",
            TensorData::F32(_) => "F32",
        }
    }

    fn bytes(&self) -> Vec<u8> {
        match self {
            TensorData::I16(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            TensorData::I32(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
            TensorData::F32(numbers) => numbers.iter().flat_map(|n| n.to_le_bytes()).collect(),
        }
    }

    fn read(kind: &str, bytes: &[u8]) -> Option<TensorData> {
        fn all<const N: usize, T>(bytes: &[u8], of: fn([u8; N]) -> T) -> Vec<T> {
            let numbers = bytes.as_chunks::<N>().0.iter();
            numbers.map(|number| of(*number)).collect()
        }
        match kind {
            "I16" => Some(TensorData::I16(all(bytes, i16::from_le_bytes))),
            "I32" => Some(TensorData::I32(all(bytes, i32::from_le_bytes))),
            "F32" => Some(TensorData::F32(all(bytes, f32::from_le_bytes))),
            _ => None,
        }
    }
}

/// A named tensor.
#[derive(Clone, Debug, PartialEq)]
pub struct Tensor {
    pub name: String,
    pub shape: Vec<usize>,
    pub data: TensorData,
}

impl Tensor {
    pub fn new(name: &str, shape: &[usize], data: TensorData) -> Tensor {
        Tensor {
            name: name.to_string(),
            shape: shape.to_vec(),
            data,
        }
    }
}

#[derive(Serialize, Deserialize)]
struct Entry {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: [usize; 2],
}

/// The key of the metadata in the header.
const METADATA: &str = "__metadata__";

/// Writes a safetensors file: the same bytes for the same tensors and metadata.
pub fn write_tensors(metadata: &BTreeMap<String, String>, tensors: &[Tensor]) -> Vec<u8> {
    let mut header = serde_json::Map::new();
    header.insert(METADATA.to_string(), serde_json::json!(metadata));
    let mut data = Vec::new();
    for tensor in tensors {
        let bytes = tensor.data.bytes();
        let entry = Entry {
            dtype: tensor.data.name().to_string(),
            shape: tensor.shape.clone(),
            data_offsets: [data.len(), data.len() + bytes.len()],
        };
        header.insert(tensor.name.clone(), serde_json::json!(entry));
        data.extend(bytes);
    }
    let mut text = serde_json::Value::Object(header).to_string();
    // Readers that map the file want the numbers aligned.
    while !text.len().is_multiple_of(8) {
        text.push(' ');
    }
    let mut file = (text.len() as u64).to_le_bytes().to_vec();
    file.extend(text.as_bytes());
    file.extend(data);
    file
}

/// A header larger than this is damage.
const MOST_HEADER: u64 = 1 << 20;

/// The metadata and tensors of a file.
pub type ReadTensors = (BTreeMap<String, String>, Vec<Tensor>);

/// Reads a safetensors file. Every byte must belong to a tensor.
pub fn read_tensors(bytes: &[u8]) -> Result<ReadTensors, NetError> {
    let damaged = |what: &str| NetError::Damaged(what.to_string());
    let (length, rest) = bytes
        .split_first_chunk::<8>()
        .ok_or_else(|| damaged("shorter than its header's length"))?;
    let length = u64::from_le_bytes(*length);
    if length > MOST_HEADER || length > rest.len() as u64 {
        return Err(damaged("no safetensors header"));
    }
    let (header, data) = rest.split_at(length as usize);
    let header: serde_json::Map<String, serde_json::Value> =
        serde_json::from_slice(header).map_err(|error| damaged(&format!("header: {error}")))?;
    let mut metadata = BTreeMap::new();
    let mut tensors = Vec::new();
    let mut places = Vec::new();
    for (name, value) in header {
        let wrong = |error: serde_json::Error| damaged(&format!("header, `{name}`: {error}"));
        if name == METADATA {
            metadata = serde_json::from_value(value).map_err(wrong)?;
            continue;
        }
        let entry: Entry = serde_json::from_value(value).map_err(wrong)?;
        let [from, to] = entry.data_offsets;
        let part = data
            .get(from..to)
            .ok_or_else(|| damaged(&format!("tensor `{name}` reaches beyond the end")))?;
        let numbers = TensorData::read(&entry.dtype, part).ok_or_else(|| {
            NetError::Foreign(format!("tensor `{name}` has the type {}", entry.dtype))
        })?;
        let count = entry
            .shape
            .iter()
            .try_fold(1_usize, |all, n| all.checked_mul(*n));
        if count.and_then(|count| count.checked_mul(size_of_number(&numbers))) != Some(part.len()) {
            return Err(damaged(&format!("tensor `{name}` does not have its shape")));
        }
        places.push((from, to));
        tensors.push(Tensor {
            name,
            shape: entry.shape,
            data: numbers,
        });
    }
    places.sort_unstable();
    let mut end = 0;
    for (from, to) in places {
        if from != end {
            return Err(damaged("tensors overlap or leave a gap"));
        }
        end = to;
    }
    if end != data.len() {
        return Err(damaged("bytes after the last tensor"));
    }
    Ok((metadata, tensors))
}

const fn size_of_number(data: &TensorData) -> usize {
    match data {
        TensorData::I16(_) => 2,
        TensorData::I32(_) | TensorData::F32(_) => 4,
    }
}

impl NetParts {
    /// The net as a file.
    pub fn to_bytes(&self) -> Vec<u8> {
        let shape = &self.shape;
        let mut metadata = self.provenance.clone();
        let values = [
            MAGIC.to_string(),
            self.game.clone(),
            FEATURES.to_string(),
            ACTIVATION.to_string(),
            shape.squares.to_string(),
            shape.kinds.to_string(),
            shape.hidden.to_string(),
            shape.buckets.to_string(),
            shape.most_pieces.to_string(),
            shape.mirrored.to_string(),
            self.scale.to_string(),
            quantisation(),
        ];
        metadata.extend(KEYS.map(str::to_string).into_iter().zip(values));
        let (inputs, hidden, buckets) = (shape.inputs(), shape.hidden, shape.buckets);
        let tensors = [
            Tensor::new(
                FEATURE_BIASES,
                &[hidden],
                TensorData::I16(self.feature_biases.clone()),
            ),
            Tensor::new(
                FEATURE_WEIGHTS,
                &[inputs, hidden],
                TensorData::I16(self.feature_weights.clone()),
            ),
            Tensor::new(
                OUTPUT_WEIGHTS,
                &[buckets, 2 * hidden],
                TensorData::I16(self.output_weights.clone()),
            ),
            Tensor::new(
                OUTPUT_BIASES,
                &[buckets],
                TensorData::I32(self.output_biases.clone()),
            ),
        ];
        write_tensors(&metadata, &tensors)
    }

    fn from_tensors((metadata, tensors): ReadTensors) -> Result<NetParts, NetError> {
        let meta = Metadata(&metadata);
        meta.expect("format", MAGIC)?;
        meta.expect("features", FEATURES)?;
        meta.expect("activation", ACTIVATION)?;
        meta.expect("quantisation", &quantisation())?;
        let shape = NetShape {
            squares: meta.number("squares", "a whole number")?,
            kinds: meta.number("kinds", "a whole number")?,
            hidden: meta.number("hidden", "a whole number")?,
            buckets: meta.number("buckets", "a whole number")?,
            most_pieces: meta.number("most_pieces", "a whole number")?,
            mirrored: meta.number("mirrored", "true or false")?,
        };
        let mut parts = NetParts {
            game: meta.get("game")?.to_string(),
            scale: meta.number("scale", "a number")?,
            shape,
            feature_weights: Vec::new(),
            feature_biases: Vec::new(),
            output_weights: Vec::new(),
            output_biases: Vec::new(),
            provenance: metadata
                .iter()
                .filter(|(key, _)| !KEYS.contains(&key.as_str()))
                .map(|(key, value)| (key.clone(), value.clone()))
                .collect(),
        };
        for tensor in tensors {
            match (tensor.name.as_str(), tensor.data) {
                (FEATURE_WEIGHTS, TensorData::I16(numbers)) => parts.feature_weights = numbers,
                (FEATURE_BIASES, TensorData::I16(numbers)) => parts.feature_biases = numbers,
                (OUTPUT_WEIGHTS, TensorData::I16(numbers)) => parts.output_weights = numbers,
                (OUTPUT_BIASES, TensorData::I32(numbers)) => parts.output_biases = numbers,
                (name, data) => {
                    let what = format!("a tensor `{name}` of {}", data.name());
                    return Err(NetError::Foreign(what));
                }
            }
        }
        Ok(parts)
    }
}

fn quantisation() -> String {
    format!("hidden {QA}, output {QB}")
}

/// The metadata of a file, with errors that name the key.
pub(in crate::eval) struct Metadata<'m>(pub &'m BTreeMap<String, String>);

impl Metadata<'_> {
    pub fn get(&self, key: &'static str) -> Result<&str, NetError> {
        let found = self.0.get(key).map(String::as_str);
        found.ok_or_else(|| NetError::Foreign(format!("no `{key}` in the metadata")))
    }

    pub fn expect(&self, key: &'static str, expected: &str) -> Result<(), NetError> {
        let value = self.get(key)?;
        if value == expected {
            return Ok(());
        }
        Err(NetError::Metadata {
            key,
            value: value.to_string(),
            expected: format!("`{expected}`"),
        })
    }

    pub fn number<T: std::str::FromStr>(
        &self,
        key: &'static str,
        what: &str,
    ) -> Result<T, NetError> {
        let value = self.get(key)?;
        value.parse().map_err(|_| NetError::Metadata {
            key,
            value: value.to_string(),
            expected: what.to_string(),
        })
    }
}

impl Net {
    /// Reads the net of a file.
    pub fn from_bytes(bytes: &[u8]) -> Result<Net, NetError> {
        Net::new(NetParts::from_tensors(read_tensors(bytes)?)?)
    }

    pub fn to_bytes(&self) -> Vec<u8> {
        self.parts.to_bytes()
    }

    /// Reads a net for chess as bullet writes it (`quantised.bin`): `(768 -> N)x2 -> 1` with SCReLU,
    /// hidden weights and biases times 255, output weights times 64, output bias times both; 16 bits
    /// each, padded to a multiple of 64 bytes. The file has no header; its length tells N.
    pub fn from_bullet(bytes: &[u8]) -> Result<Net, NetError> {
        let layout = Chess::LAYOUT;
        let mut shape = NetShape::of(&layout, 1, 1);
        shape.mirrored = false;
        let inputs = shape.inputs();
        // Weights and bias of every unit, two output weights each, and the output bias.
        let numbers = |hidden: usize| (inputs + 3) * hidden + 1;
        shape.hidden = (bytes.len() / 2).saturating_sub(1) / (inputs + 3);
        if shape.hidden == 0 || (2 * numbers(shape.hidden)).next_multiple_of(64) != bytes.len() {
            return Err(NetError::Foreign(format!(
                "{} bytes: no net `(768 -> N)x2 -> 1` of bullet has this length",
                bytes.len()
            )));
        }
        let all: Vec<i16> = bytes
            .as_chunks::<2>()
            .0
            .iter()
            .map(|two| i16::from_le_bytes(*two))
            .collect();
        let hidden = shape.hidden;
        let (feature_weights, rest) = all.split_at(inputs * hidden);
        let (feature_biases, rest) = rest.split_at(hidden);
        let (output_weights, rest) = rest.split_at(2 * hidden);
        Net::new(NetParts {
            game: "chess".to_string(),
            shape,
            scale: 400.0,
            feature_weights: feature_weights.to_vec(),
            feature_biases: feature_biases.to_vec(),
            output_weights: output_weights.to_vec(),
            output_biases: vec![i32::from(rest[0])],
            provenance: BTreeMap::from([(
                "made_by".to_string(),
                "bullet, (768 -> N)x2 -> 1".to_string(),
            )]),
        })
    }
}

/// FNV-1a with 64 bits: names files by their content.
pub(in crate::eval) fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
