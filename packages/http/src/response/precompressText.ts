/**
 * Serves text that is identical for every caller. The text is encoded and compressed once, and clients revalidate it
 * with an ETag.
 */
import type { Reply } from "./Reply.ts"

/**
 * Returns a function that creates the response to a request. The request headers determine whether the text is sent at
 * all, and whether it is compressed.
 */
export const precompressText = async (
  text: string,
  headers: Readonly<Record<string, string>>
): Promise<(request: Request) => Reply> => {
  const plainBytes = new TextEncoder().encode(text)
  const [gzip, digest] = await Promise.all([
    new Response(new Blob([plainBytes]).stream().pipeThrough(new CompressionStream("gzip"))).arrayBuffer(),
    crypto.subtle.digest("SHA-256", plainBytes)
  ])
  const etag = `"${Array.from(new Uint8Array(digest, 0, 12), (byte) => byte.toString(16).padStart(2, "0")).join("")}"`
  const compressedBytes = new Uint8Array(gzip)
  const all = { ...headers, etag: `W/${etag}`, vary: "accept-encoding" }
  return (request) => {
    if (request.headers.get("if-none-match")?.includes(etag) === true) {
      return { status: 304, body: null, headers: { ...headers, etag: all.etag, vary: all.vary } }
    }
    return acceptsGzip(request.headers.get("accept-encoding") ?? "")
      ? reply(compressedBytes, { ...all, "content-encoding": "gzip" })
      : reply(plainBytes, all)
  }
}

/** Whether an `accept-encoding` header allows gzip. A weight of 0 forbids it. */
export const acceptsGzip = (acceptEncoding: string): boolean =>
  acceptEncoding.split(",").some((part) => {
    const [name = "", ...weights] = part.split(";").map((piece) => piece.trim().toLowerCase())
    return name === "gzip" && !weights.some((weight) => /^q=0(\.0*)?$/.test(weight))
  })

/** Creates a response. All responses share these bytes, which are never copied. */
const reply = (bytes: Uint8Array, headers: Readonly<Record<string, string>>): Reply => {
  let pendingBytes: Uint8Array | undefined = bytes
  return {
    status: 200,
    headers: { ...headers, "content-length": String(bytes.byteLength) },
    body: {
      next: () => {
        const piece = pendingBytes
        pendingBytes = undefined
        return Promise.resolve(piece)
      },
      isOver: () => pendingBytes === undefined,
      stop: () => {}
    }
  }
}
