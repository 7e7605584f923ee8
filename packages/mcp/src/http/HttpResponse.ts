import { explainErrorText } from "../server/wrongParameters.ts"

/**
 * An HTTP response with a text body. A `Response` is not used, because every response is small JSON and the caller
 * would need to read it again.
 */
export interface HttpResponse {
  readonly status: number
  /** `null` for an empty response. */
  readonly body: string | null
  /** The header names are lowercase. If the headers are omitted, the body is JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (status: number, value: unknown): HttpResponse => ({ status, body: JSON.stringify(value) })

/** Reads the response of a protocol library and explains its errors. */
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
