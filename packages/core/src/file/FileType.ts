/**
 * The files that a message may carry: photos and documents that guests and
 * outfitters have at hand, and nothing that a browser would run.
 *
 * @category constants
 */
export const fileTypes = {
  "image/jpeg": { extension: "jpg", shown: true },
  "image/png": { extension: "png", shown: true },
  "image/webp": { extension: "webp", shown: true },
  // Few browsers show one.
  "image/heic": { extension: "heic", shown: false },
  // A document may hold scripts and links, so it opens in a program of its own.
  "application/pdf": { extension: "pdf", shown: false }
} as const

/**
 * @category models
 */
export type FileType = keyof typeof fileTypes

/**
 * Whether a browser shows such a file in its page; the others are downloads.
 *
 * @category getters
 */
export const isShown = (type: FileType): boolean => fileTypes[type].shown
