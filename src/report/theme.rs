//! The theme of all charts: light, readable in print and with colour blindness.

/// Red, green, blue.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Colour(pub u8, pub u8, pub u8);

impl Colour {
    /// Interpolates to another colour, `share` from 0 to 1.
    pub fn towards(self, other: Colour, share: f64) -> Colour {
        let mix = |a: u8, b: u8| {
            let value = f64::from(a) + (f64::from(b) - f64::from(a)) * share.clamp(0.0, 1.0);
            value.round() as u8
        };
        Colour(
            mix(self.0, other.0),
            mix(self.1, other.1),
            mix(self.2, other.2),
        )
    }

    /// A text colour that is readable on this colour.
    pub fn ink(self) -> Colour {
        let luminance =
            0.299 * f64::from(self.0) + 0.587 * f64::from(self.1) + 0.114 * f64::from(self.2);
        if luminance > 140.0 { INK } else { BACKGROUND }
    }
}

pub const BACKGROUND: Colour = Colour(255, 255, 255);
pub const INK: Colour = Colour(33, 37, 41);
pub const FAINT_INK: Colour = Colour(96, 103, 112);
pub const GRID: Colour = Colour(226, 230, 234);
pub const RULE: Colour = Colour(150, 157, 165);

/// Win, draw, loss: blue, grey and orange of the palette by Okabe and Ito, which stay apart for
/// all common kinds of colour blindness and in greyscale.
pub const WIN: Colour = Colour(0, 114, 178);
pub const DRAW: Colour = Colour(198, 204, 210);
pub const LOSS: Colour = Colour(230, 159, 0);

/// White's and black's colours.
pub const WHITE_SIDE: Colour = Colour(255, 255, 255);
pub const BLACK_SIDE: Colour = Colour(52, 58, 64);

/// Heat maps: orange for 0, near white for one half, blue for 1.
pub const LOW_HEAT: Colour = Colour(213, 120, 0);
pub const EVEN_HEAT: Colour = Colour(247, 247, 247);
pub const HIGH_HEAT: Colour = Colour(0, 92, 158);

/// Lines of players, in the order of the standings. After Okabe and Ito, the yellow darkened so
/// that it can be seen on white.
const PLAYERS: [Colour; 8] = [
    Colour(0, 114, 178),
    Colour(213, 94, 0),
    Colour(0, 158, 115),
    Colour(204, 121, 167),
    Colour(86, 180, 233),
    Colour(230, 159, 0),
    Colour(122, 88, 52),
    Colour(60, 60, 60),
];

/// How many players have a distinct colour.
pub const DISTINCT: usize = PLAYERS.len();

/// The colour of the player at a rank of the standings, from 0. Grey beyond the palette: more than
/// eight hues are hard to distinguish.
pub fn player(place: usize) -> Colour {
    PLAYERS.get(place).copied().unwrap_or(RULE)
}

/// A share from 0 to 1 on the scale of the heat maps.
pub fn heat(share: f64) -> Colour {
    if share < 0.5 {
        EVEN_HEAT.towards(LOW_HEAT, 1.0 - 2.0 * share)
    } else {
        EVEN_HEAT.towards(HIGH_HEAT, 2.0 * share - 1.0)
    }
}

pub const WIDTH: f64 = 860.0;
pub const MARGIN: f64 = 24.0;

pub const TITLE_SIZE: f64 = 21.0;
pub const SUBTITLE_SIZE: f64 = 13.5;
pub const LABEL_SIZE: f64 = 14.0;
pub const SMALL_SIZE: f64 = 12.0;
