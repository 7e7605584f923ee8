import type { Part } from "@trailbook/core/operation/Part"

/** Serializes a streamed response as one JSON object. */
export class JsonStreamWriter {
  #list: string | undefined
  #isEmpty = true
  #hasRows = false

  /** Returns the JSON text for a chunk. */
  add(part: Part): string {
    if ("value" in part) return `${this.#field(part.name)}${JSON.stringify(part.value)}`
    const begin = this.#list === part.name ? "" : this.#begin(part.name)
    if (part.rows.length === 0) return begin
    const between = this.#hasRows ? "," : ""
    this.#hasRows = true
    return begin + between + JSON.stringify(part.rows).slice(1, -1)
  }

  /** Returns the closing JSON text. */
  end(): string {
    return `${this.#endList()}${this.#isEmpty ? "{" : ""}}`
  }

  #begin(name: string): string {
    const field = this.#field(name)
    this.#list = name
    this.#hasRows = false
    return `${field}[`
  }

  #field(name: string): string {
    const text = `${this.#endList()}${this.#isEmpty ? "{" : ","}${JSON.stringify(name)}:`
    this.#isEmpty = false
    return text
  }

  #endList(): string {
    const ended = this.#list !== undefined
    this.#list = undefined
    return ended ? "]" : ""
  }
}
