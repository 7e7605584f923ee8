import { explainErrorText } from "../server/wrongParameters.ts"

/**
 * What is answered over HTTP, with its body as text: every answer is small JSON,
 * and one that was made into a `Response` would have to be read out of it again.
 */
export interface HttpResponse {
  readonly status: number
  /** `null` where there is nothing to say. */
  readonly body: string | null
  /** Named in lowercase. Left out, the body is JSON. */
  readonly headers?: Readonly<Record<string, string>>
}

export const json = (status: number, value: unknown): HttpResponse => ({ status, body: JSON.stringify(value) })

/** Reads the response of a library, with its errors explained. */
export const fromResponse = async (response: Response): Promise<HttpResponse> => {
  const type = response.headers.get("content-type")
  return {
    status: response.status,
    body: response.body === null ? null : explainErrorText(await response.text()),
    ...(type === null || type === "application/json" ? {} : { headers: { "content-type": type } })
  }
}
