/** A client of the REST API for concurrent calls. */
export interface Answer {
  readonly status: number
  readonly body: Json
  readonly headers: Headers
}

type Json = ReturnType<typeof JSON.parse>

export interface Client {
  readonly get: (path: string) => Promise<Answer>
  readonly post: (path: string, body?: unknown) => Promise<Answer>
  readonly send: (method: string, path: string, body?: string, headers?: Record<string, string>) => Promise<Answer>
}

export const client = (url: string, key: string): Client => {
  const send: Client["send"] = async (method, path, body, headers = {}) => {
    const response = await fetch(url + path, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...headers
      },
      ...(body === undefined ? {} : { body })
    })
    const text = await response.text()
    return { status: response.status, body: text === "" ? undefined : JSON.parse(text), headers: response.headers }
  }
  return {
    send,
    get: (path) => send("GET", path),
    post: (path, body) => send("POST", path, body === undefined ? undefined : JSON.stringify(body))
  }
}

/** Runs this many calls concurrently, each with its index. */
export const parallel = <A>(calls: number, call: (at: number) => Promise<A>): Promise<ReadonlyArray<A>> =>
  Promise.all(Array.from({ length: calls }, (_, at) => call(at)))

/** Counts responses by status and error code. */
export const tally = (answers: ReadonlyArray<Answer>): Record<string, number> => {
  const counts: Record<string, number> = {}
  for (const { body, status } of answers) {
    const name = status < 300 ? String(status) : `${status} ${body.error?.code}`
    counts[name] = (counts[name] ?? 0) + 1
  }
  return counts
}
