//! The theme of all charts: light, readable in print and with colour blindness; and what its colours
//! become on a dark page.
//!
//! A colour means one thing on a page: blue and orange are good and bad results, cream and black the two
//! sides of the board, and players or parameters have colours that are none of these.

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
        if luminance > 140.0 {
            INK_ON_FILL
        } else {
            BACKGROUND
        }
    }

    /// As in SVG: `#RRGGBB`.
    pub fn hex(self) -> String {
        format!("#{:02X}{:02X}{:02X}", self.0, self.1, self.2)
    }
}

pub const BACKGROUND: Colour = Colour(255, 255, 255);
pub const INK: Colour = Colour(33, 37, 41);
/// Text on a light fill, which stays dark on a dark page; one step from [`INK`], so that the two differ.
const INK_ON_FILL: Colour = Colour(33, 37, 42);
pub const FAINT_INK: Colour = Colour(96, 103, 112);
pub const GRID: Colour = Colour(226, 230, 234);
pub const RULE: Colour = Colour(150, 157, 165);

/// Win, draw, loss: blue, grey and orange of the palette by Okabe and Ito, which stay apart for
/// all common kinds of colour blindness and in greyscale.
pub const WIN: Colour = Colour(0, 114, 178);
pub const DRAW: Colour = Colour(198, 204, 210);
pub const LOSS: Colour = Colour(230, 159, 0);

/// White's and black's colours, and games that neither won.
pub const WHITE_SIDE: Colour = Colour(246, 226, 170);
pub const NO_SIDE: Colour = Colour(176, 182, 188);
pub const BLACK_SIDE: Colour = Colour(52, 58, 64);

/// Heat maps: orange for 0, near white for one half, blue for 1.
pub const LOW_HEAT: Colour = Colour(213, 120, 0);
pub const EVEN_HEAT: Colour = Colour(247, 247, 247);
pub const HIGH_HEAT: Colour = Colour(0, 92, 158);

/// Players in the order of the standings, or parameters by the size of their moves. Of different
/// lightness, so that they can be told apart without hues, and none of them like a result or a side.
const DISTINCT_COLOURS: [Colour; 8] = [
    Colour(0, 132, 98),
    Colour(142, 68, 173),
    Colour(204, 92, 112),
    Colour(138, 138, 31),
    Colour(64, 184, 186),
    Colour(122, 31, 75),
    Colour(130, 96, 62),
    Colour(76, 82, 92),
];

/// How many players have a distinct colour.
pub const DISTINCT: usize = DISTINCT_COLOURS.len();

/// The colour of the player at a rank of the standings, from 0. Grey beyond the palette: more than
/// eight hues are hard to distinguish.
pub fn player(place: usize) -> Colour {
    DISTINCT_COLOURS.get(place).copied().unwrap_or(RULE)
}

/// What lines and fills become on a dark page; other colours stay.
pub const DARK: [(Colour, Colour); 14] = [
    (BACKGROUND, Colour(23, 26, 31)),
    (INK, Colour(230, 233, 237)),
    (FAINT_INK, Colour(160, 168, 177)),
    (GRID, Colour(48, 54, 61)),
    (RULE, Colour(112, 121, 130)),
    (WIN, Colour(56, 148, 214)),
    (DRAW, Colour(150, 157, 165)),
    (BLACK_SIDE, Colour(92, 100, 109)),
    (DISTINCT_COLOURS[0], Colour(42, 178, 140)),
    (DISTINCT_COLOURS[1], Colour(190, 130, 220)),
    (DISTINCT_COLOURS[2], Colour(228, 128, 146)),
    (DISTINCT_COLOURS[5], Colour(212, 112, 164)),
    (DISTINCT_COLOURS[6], Colour(186, 146, 104)),
    (DISTINCT_COLOURS[7], Colour(178, 186, 196)),
];

/// A share from 0 to 1 on the scale of the heat maps.
pub fn heat(share: f64) -> Colour {
    if share < 0.5 {
        EVEN_HEAT.towards(LOW_HEAT, 1.0 - 2.0 * share)
    } else {
        EVEN_HEAT.towards(HIGH_HEAT, 2.0 * share - 1.0)
    }
}

/// The widths of a chart in logical pixels: as a file, in a column of a page, and on a phone.
pub const WIDTH: f64 = 860.0;
pub const CARD_WIDTH: f64 = 600.0;
pub const NARROW_WIDTH: f64 = 360.0;
/// Charts below this width use the layout for phones.
pub const NARROW_LIMIT: f64 = 480.0;

pub const MARGIN: f64 = 24.0;

pub const TITLE_SIZE: f64 = 21.0;
pub const CARD_TITLE_SIZE: f64 = 17.0;
pub const SUBTITLE_SIZE: f64 = 13.5;
pub const LABEL_SIZE: f64 = 14.0;
pub const SMALL_SIZE: f64 = 12.0;
