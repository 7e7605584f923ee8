/** Decodes UTF-8, or returns `undefined` if the bytes are invalid. */
export const decodeUtf8 = (bytes: Uint8Array): string | undefined => {
  try {
    return utf8.decode(bytes)
  } catch {
    return undefined
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true })
