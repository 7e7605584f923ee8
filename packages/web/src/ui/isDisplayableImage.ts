/**
 * Returns whether pages can show a file as an image. Most browsers cannot display HEIC, so pages link to such files.
 */
export const isDisplayableImage = (type: string): boolean => type.startsWith("image/") && type !== "image/heic"
