/** The allowed file types: common photos and documents, but no type that a browser executes. */
export const fileTypes = {
  "image/jpeg": { extension: "jpg", shown: true },
  "image/png": { extension: "png", shown: true },
  "image/webp": { extension: "webp", shown: true },
  // Few browsers display it.
  "image/heic": { extension: "heic", shown: false },
  // A document can contain scripts and links, so it opens in a separate program.
  "application/pdf": { extension: "pdf", shown: false }
} as const

export type FileType = keyof typeof fileTypes

/** Whether a browser displays the file inside a page. Other files are downloads. */
export const isShown = (type: FileType): boolean => fileTypes[type].shown
