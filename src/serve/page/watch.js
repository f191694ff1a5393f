// Watch: two bots, with speed, pause and step.

import { open as play } from "/assets/play.js";

export const open = (main) => play(main, true);
