/** In either direction; at the size that a logo is printed in that is far more than paper shows. */
const LOGO_PIXELS_MAX = 2000;

/** What is wrong with an image of so many pixels; undefined where it may be a logo. */
export function problemWithSize(width: number, height: number): string | undefined {
  const fits = width >= 1 && height >= 1 && width <= LOGO_PIXELS_MAX && height <= LOGO_PIXELS_MAX;
  return fits ? undefined : `must be at most ${LOGO_PIXELS_MAX} by ${LOGO_PIXELS_MAX} pixels`;
}
