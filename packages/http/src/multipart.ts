/**
 * Forms as they come over the wire (RFC 7578, RFC 2046): parts between lines that are
 * in none of them. It may come in pieces of any length. A part's head is read as a
 * whole, its body is handed on as it comes.
 */

/**
 * What hears of a form.
 *
 * @category models
 */
export interface Listener {
  /** A part begins, with these lines before it; says who takes its bytes. */
  readonly onPart: (head: string) => (bytes: Uint8Array) => void
  /** It is not a form. Nothing is told after this. */
  readonly onWrong: (message: string) => void
}

/**
 * The boundary that the `Content-Type` of a form names.
 *
 * @category parsing
 */
export const boundaryOf = (type: string): string | undefined => {
  const [, quoted, plain] = /;\s*boundary=(?:"([^"\r\n]{1,70})"|([^\s;"]{1,70}))/i.exec(type) ?? []
  return quoted ?? plain
}

/**
 * @category models
 */
export class Multipart {
  readonly #line: Uint8Array
  readonly #listener: Listener
  #state: "outside" | "line" | "head" | "body" | "over" = "outside"
  /** What is not understood before more has come. Before all there is the end of a line. */
  #kept: Uint8Array = lineEnd
  #take: (bytes: Uint8Array) => void = () => {}

  constructor(boundary: string, listener: Listener) {
    this.#line = utf8.encode(`\r\n--${boundary}`)
    this.#listener = listener
  }

  /** Whether the last part has ended. What follows it does not matter. */
  get isOver(): boolean {
    return this.#state === "over"
  }

  write(chunk: Uint8Array): void {
    const data = joined(this.#kept, chunk)
    let at = 0
    for (let next: number | undefined = 0; next !== undefined; next = this.#step(data, at)) at = next
    this.#kept = this.#state === "over" ? lineEnd : data.slice(at)
  }

  /** Goes on from a place, and says to where; `undefined` when more has to come first. */
  #step(data: Uint8Array, at: number): number | undefined {
    switch (this.#state) {
      case "outside":
      case "body":
        return this.#untilLine(data, at)
      case "line":
        return this.#restOfLine(data, at)
      case "head":
        return this.#headOf(data, at)
      case "over":
        return undefined
    }
  }

  #untilLine(data: Uint8Array, at: number): number | undefined {
    const found = find(data, this.#line, at)
    // The beginning of the line may be the last that came.
    const end = found ?? Math.max(at, data.length - this.#line.length + 1)
    if (this.#state === "body" && end > at) this.#take(data.subarray(at, end))
    if (found === undefined) {
      if (end > at) return end
      return undefined
    }
    this.#state = "line"
    return found + this.#line.length
  }

  #restOfLine(data: Uint8Array, at: number): number | undefined {
    if (data.length - at < 2) return undefined
    if (data[at] === dash && data[at + 1] === dash) {
      this.#state = "over"
      return at + 2
    }
    const end = find(data, lineEnd, at)
    const blanks = data.subarray(at, end ?? data.length)
    if (blanks.length > longestLine || blanks.some((byte) => byte !== 0x20 && byte !== 0x09 && byte !== 0x0d)) {
      return this.#wrong("A line of the form is not valid.")
    }
    if (end === undefined) return undefined
    this.#state = "head"
    return end
  }

  /** From the end of the line before it. */
  #headOf(data: Uint8Array, at: number): number | undefined {
    const end = find(data, headEnd, at)
    if ((end ?? data.length) - at > longestHead) return this.#wrong("The head of a part of the form is too long.")
    if (end === undefined) return undefined
    this.#take = this.#listener.onPart(new TextDecoder().decode(data.subarray(at, end)))
    this.#state = "body"
    return end + headEnd.length
  }

  #wrong(message: string): undefined {
    this.#state = "over"
    this.#listener.onWrong(message)
  }
}

/**
 * A header of a part, by its name in lowercase.
 *
 * @category getters
 */
export const headerOf = (head: string, name: string): string | undefined => {
  for (const line of head.split("\r\n")) {
    const colon = line.indexOf(":")
    if (colon > 0 && line.slice(0, colon).trim().toLowerCase() === name) return line.slice(colon + 1).trim()
  }
  return undefined
}

const utf8 = new TextEncoder()
const lineEnd = utf8.encode("\r\n")
const headEnd = utf8.encode("\r\n\r\n")
const dash = 0x2d

const longestLine = 100
const longestHead = 16 * 1024

const joined = (one: Uint8Array, other: Uint8Array): Uint8Array => {
  if (one.length === 0) return other
  const both = new Uint8Array(one.length + other.length)
  both.set(one)
  both.set(other, one.length)
  return both
}

/** Byte by byte: what stands most often in a file is not the first byte of a line's end. */
const find = (data: Uint8Array, wanted: Uint8Array, from: number): number | undefined => {
  const last = data.length - wanted.length
  for (let at = from; at <= last; at++) {
    if (data[at] === wanted[0] && wanted.every((byte, n) => data[at + n] === byte)) return at
  }
  return undefined
}
