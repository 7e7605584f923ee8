import type { FileType } from "./FileType.ts"

/**
 * What a file is by its first bytes; `undefined` for whatever is none of ours. Its
 * name and the type that its sender gave are not asked: either may lie.
 *
 * @category parsing
 */
export const detectFileType = (bytes: Uint8Array): FileType | undefined => {
  // F7 is another coding, which browsers do not show.
  if (begins(bytes, 0, "\xff\xd8\xff")) return bytes[3] === 0xf7 ? undefined : "image/jpeg"
  if (begins(bytes, 0, "\x89PNG\r\n\x1a\n")) return "image/png"
  if (begins(bytes, 0, "RIFF") && begins(bytes, 8, "WEBP")) return "image/webp"
  if (begins(bytes, 0, "%PDF-")) return "application/pdf"
  return isHeic(bytes) ? "image/heic" : undefined
}

/**
 * A container names what it is made by in its first box. Several kinds of picture
 * share it, AVIF among them, and some call themselves a picture (`mif1`) first, so all
 * that it names is looked at.
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

/** Real ones name about eight brands. */
const longestBrandBox = 512

const begins = (bytes: Uint8Array, at: number, text: string): boolean =>
  bytes.length >= at + text.length && [...text].every((character, i) => bytes[at + i] === character.charCodeAt(0))

const textAt = (bytes: Uint8Array, at: number): string => String.fromCharCode(...bytes.subarray(at, at + 4))
