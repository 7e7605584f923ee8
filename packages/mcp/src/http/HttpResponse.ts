import { explainErrorText } from "../server/wrongParameters.ts"

/**
 * An HTTP response with a text body. A `Response` would only add another read, because the caller reads every body and
 * all bodies are small JSON texts.
 */
export interface HttpResponse {
  readonly status: number
  /** The body, or `null` for an empty response. */
  readonly body: string | null
  /** Headers, with lowercase names. Default: JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (status: number, value: unknown): HttpResponse => ({ status, body: JSON.stringify(value) })

/** Reads a protocol library's response and explains its errors. */
export const fromResponse = async (response: Response): Promise<HttpResponse> => {
  const type = response.headers.get("content-type") ?? "application/json"
  const session = response.headers.get("mcp-session-id")
  return {
    status: response.status,
    body: response.body === null ? null : explainErrorText(await response.text()),
    ...(session !== null
      ? { headers: { "content-type": type, "mcp-session-id": session } }
      : type === "application/json"
      ? {}
      : { headers: { "content-type": type } })
  }
}
