/**
 * A loopback server that handles the S3 requests that Trailbook sends. It verifies every signature with its own
 * implementation of AWS Signature Version 4, and checks the timestamp.
 */
import { createHash, createHmac, timingSafeEqual } from "node:crypto"
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http"
import type { AddressInfo } from "node:net"

export interface S3Server {
  readonly origin: string
  readonly objects: Map<string, Buffer>
  /** Descriptions of the rejected requests. */
  readonly complaints: ReadonlyArray<string>
  /** Each entry replaces the response to one request. */
  readonly instead: Array<(response: ServerResponse, request: IncomingMessage) => void>
  readonly requests: ReadonlyArray<string>
  readonly close: () => Promise<void>
}

export interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly region: string
}

export const start = async (credentials: Credentials): Promise<S3Server> => {
  const objects = new Map<string, Buffer>()
  const complaints: Array<string> = []
  const requests: Array<string> = []
  const instead: S3Server["instead"] = []
  const server = createServer((request, response) => {
    const { method = "", url = "" } = request
    requests.push(`${method} ${url}`)
    const answer = instead.shift()
    if (answer !== undefined) return answer(response, request)
    const chunks: Array<Buffer> = []
    request.on("data", (chunk: Buffer) => chunks.push(chunk))
    request.on("end", () => {
      const body = Buffer.concat(chunks)
      const complaint = objection(request, body, credentials)
      if (complaint !== undefined) {
        complaints.push(complaint)
        refuse(response, 403, "SignatureDoesNotMatch")
        return
      }
      if (method === "PUT") {
        objects.set(url, body)
        response.writeHead(200, { etag: "\"1\"" }).end()
      } else if (method === "DELETE") {
        objects.delete(url)
        response.writeHead(204).end()
      } else {
        const object = objects.get(url)
        if (object === undefined) refuse(response, 404, "NoSuchKey")
        else response.writeHead(200, { "content-length": object.length }).end(object)
      }
    })
  })
  await listen(server)
  const { port } = server.address() as AddressInfo
  return {
    origin: `http://127.0.0.1:${port}`,
    objects,
    complaints,
    instead,
    requests,
    close: () => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    }
  }
}

export const refuse = (response: ServerResponse, status: number, code: string): void =>
  void response.writeHead(status, { "content-type": "application/xml" }).end(
    `<?xml version="1.0" encoding="UTF-8"?><Error><Code>${code}</Code><Message>No.</Message></Error>`
  )

const listen = (server: Server): Promise<void> => new Promise((resolve) => server.listen(0, "127.0.0.1", resolve))

const sha256 = (data: string | Buffer): string => createHash("sha256").update(data).digest("hex")

const hmac = (key: string | Buffer, data: string): Buffer => createHmac("sha256", key).update(data).digest()

const scheme =
  /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/s3\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=([0-9a-f]{64})$/

/** Returns the reason for rejecting a request. */
const objection = (
  { headers, method = "", url = "" }: IncomingMessage,
  body: Buffer,
  { accessKeyId, region, secretAccessKey }: Credentials
): string | undefined => {
  const parts = scheme.exec(headers.authorization ?? "")
  if (parts === null) return "no signature"
  const [, id, day = "", where = "", signedHeaders = "", signature = ""] = parts
  if (id !== accessKeyId) return "unknown key"
  if (where !== region) return `region ${where}`
  const names = signedHeaders.split(";")
  for (const needed of ["host", "x-amz-date", "x-amz-content-sha256"]) {
    if (!names.includes(needed)) return `${needed} is not signed`
  }
  const time = String(headers["x-amz-date"])
  if (!time.startsWith(day) || Math.abs(Date.parse(iso(time)) - Date.now()) > 15 * 60_000) return `time ${time}`
  const digest = String(headers["x-amz-content-sha256"])
  if (digest !== "UNSIGNED-PAYLOAD" && digest !== sha256(body)) return "the body is another"
  const [path, query = ""] = url.split("?")
  const canonical = [
    method,
    path,
    query.split("&").filter(Boolean).sort().join("&"),
    ...names.map((name) => `${name}:${String(headers[name] ?? "").trim()}`),
    "",
    signedHeaders,
    digest
  ].join("\n")
  const scope = `${day}/${region}/s3/aws4_request`
  const key = hmac(hmac(hmac(hmac(`AWS4${secretAccessKey}`, day), region), "s3"), "aws4_request")
  const expected = hmac(key, ["AWS4-HMAC-SHA256", time, scope, sha256(canonical)].join("\n"))
  return timingSafeEqual(expected, Buffer.from(signature, "hex")) ? undefined : "wrong signature"
}

const iso = (time: string): string => time.replace(/^(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/, "$1-$2-$3T$4:$5:$6Z")
