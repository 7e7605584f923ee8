/** The allowed file types: common types of photos and documents that a browser does not execute. */
export const fileTypes = {
  "image/jpeg": { extension: "jpg", shown: true },
  "image/png": { extension: "png", shown: true },
  "image/webp": { extension: "webp", shown: true },
  // Few browsers display HEIC.
  "image/heic": { extension: "heic", shown: false },
  // A PDF can contain scripts and links, so it opens in a separate program.
  "application/pdf": { extension: "pdf", shown: false }
} as const

export type FileType = keyof typeof fileTypes

/** Returns whether a browser displays the file inside a page. Other files are downloaded. */
export const isShown = (type: FileType): boolean => fileTypes[type].shown
