/*
 * Display P3 in sRGB, as CSS Color 4 converts it (section 10, and the matrices of its sample code): both
 * have the same curve and the same white, so three numbers of light are multiplied by one matrix.
 */

const toSrgb = [
  [1.2249401762805598, -0.22494017628055996, 0],
  [-0.042056954709688163, 1.0420569547096881, 0],
  [-0.019637554590334432, -0.078636045550631889, 1.0982736001409663],
] as const;

/** IEC 61966-2-1: the light of each of 256 levels. */
const light = Float64Array.from({ length: 256 }, (_, level) => {
  const value = level / 255;
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
});

/** Fine enough that each level is the nearest one: the steepest part has 13 levels a thousandth. */
const steps = 65_535;
const levels = Uint8Array.from({ length: steps + 1 }, (_, step) => {
  const value = step / steps;
  const curved = value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055;
  return Math.round(curved * 255);
});

const levelOf = (value: number) => levels[Math.round(Math.min(1, Math.max(0, value)) * steps)] ?? 0;

/** Converts pixels in place. What is outside of sRGB becomes the strongest colour that it has. */
export function displayP3ToSrgb(pixels: Uint8Array | Uint8ClampedArray, channels: 3 | 4): void {
  const [toRed, toGreen, toBlue] = toSrgb;
  for (let at = 0; at + 2 < pixels.length; at += channels) {
    const red = light[pixels[at] ?? 0] ?? 0;
    const green = light[pixels[at + 1] ?? 0] ?? 0;
    const blue = light[pixels[at + 2] ?? 0] ?? 0;
    pixels[at] = levelOf(red * toRed[0] + green * toRed[1]);
    pixels[at + 1] = levelOf(red * toGreen[0] + green * toGreen[1]);
    pixels[at + 2] = levelOf(red * toBlue[0] + green * toBlue[1] + blue * toBlue[2]);
  }
}
