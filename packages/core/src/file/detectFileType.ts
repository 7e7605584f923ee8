import type { FileType } from "./FileType.ts"

/**
 * Detects the type of a file from its first bytes. Returns undefined for types that are not allowed. The name and the
 * declared type are not trusted.
 */
export const detectFileType = (bytes: Uint8Array): FileType | undefined => {
  // F7 is JPEG-LS, which browsers do not display.
  if (begins(bytes, 0, "\xff\xd8\xff")) return bytes[3] === 0xf7 ? undefined : "image/jpeg"
  if (begins(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (begins(bytes, 0, "RIFF") && begins(bytes, 8, "WEBP")) return "image/webp"
  if (begins(bytes, 0, "%PDF-")) return "application/pdf"
  return isHeic(bytes) ? "image/heic" : undefined
}

/**
 * The first box of the container lists its brands. Several picture formats share the container, such as AVIF, and some
 * list a generic brand (`mif1`) first, so all brands are checked.
 */
const isHeic = (bytes: Uint8Array): boolean => {
  if (bytes.length < 16 || !begins(bytes, 4, "ftyp")) return false
  const end = Math.min(new DataView(bytes.buffer, bytes.byteOffset).getUint32(0), bytes.length, longestBrandBox)
  const first = textAt(bytes, 8)
  const brands = new Set([first])
  for (let at = 16; at + 4 <= end; at += 4) brands.add(textAt(bytes, at))
  return (first === "mif1" || heic.includes(first)) && heic.some((brand) => brands.has(brand)) &&
    !["avif", "avis"].some((brand) => brands.has(brand))
}

const heic = ["heic", "heix", "heim", "heis"]

/** Real files list about eight brands. */
const longestBrandBox = 512

const begins = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0))

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
