import * as Effect from "effect/Effect"
import type * as Scope from "effect/Scope"
import { createSocket } from "node:dgram"
import { once } from "node:events"

/** The records of a name server on loopback. The server does not respond to queries for `silent` names. */
export type Zone = {
  readonly [name: string]: "silent" | {
    readonly alias?: string
    readonly A?: ReadonlyArray<string>
    readonly AAAA?: ReadonlyArray<string> | "silent"
  }
}

const types = { A: 1, CNAME: 5, AAAA: 28 }
const encoded = (name: string) =>
  Buffer.concat([...name.split(".").map((label) => Buffer.from([label.length, ...Buffer.from(label)])), Buffer.of(0)])

/** Implements the part of RFC 1035 that is needed to answer one question. */
const reply = (query: Buffer, zone: Zone): Buffer | undefined => {
  const labels: Array<string> = []
  let at = 12
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString("latin1", at + 1, at + 1 + length))
    at += 1 + length
  }
  const question = query.subarray(12, at + 5)
  const type = query.readUInt16BE(at + 1) === types.AAAA ? "AAAA" : "A"
  const entry = zone[labels.join(".")]
  if (entry === "silent") return undefined
  const addresses = entry?.[type] ?? []
  if (addresses === "silent") return undefined

  const record = (name: Buffer, type: number, data: Buffer) => {
    const fixed = Buffer.alloc(10)
    fixed.writeUInt16BE(type, 0)
    fixed.writeUInt16BE(1, 2)
    fixed.writeUInt16BE(data.length, 8)
    return Buffer.concat([name, fixed, data])
  }
  const namePointer = Buffer.of(0xc0, 12)
  const owner = entry?.alias === undefined ? namePointer : encoded(entry.alias)
  const records = [
    ...(entry?.alias === undefined ? [] : [record(namePointer, types.CNAME, owner)]),
    ...addresses.map((address) => record(owner, types[type], bytes(address)))
  ]
  const head = Buffer.alloc(12)
  query.copy(head, 0, 0, 2)
  head.writeUInt16BE(entry === undefined ? 0x8183 : 0x8180, 2)
  head.writeUInt16BE(1, 4)
  head.writeUInt16BE(records.length, 6)
  return Buffer.concat([head, question, ...records])
}

const bytes = (address: string): Buffer => {
  if (!address.includes(":")) return Buffer.from(address.split(".").map(Number))
  const [front = "", back = ""] = address.split("::")
  const groups = (text: string) => text === "" ? [] : text.split(":")
  const middle = Array.from({ length: 8 - groups(front).length - groups(back).length }, () => "0")
  return Buffer.from(
    [...groups(front), ...middle, ...groups(back)].map((group) => group.padStart(4, "0")).join(""),
    "hex"
  )
}

/** Returns the server's address and the number of queries that it received. */
export const nameServer = (
  zone: Zone
): Effect.Effect<{ readonly address: string; readonly queryCount: () => number }, never, Scope.Scope> =>
  Effect.gen(function*() {
    let queryCount = 0
    const socket = createSocket("udp4", (query, { address, port }) => {
      queryCount += 1
      const answer = reply(query, zone)
      if (answer !== undefined) socket.send(answer, port, address)
    })
    socket.bind(0, "127.0.0.1")
    yield* Effect.promise(() => once(socket, "listening"))
    yield* Effect.addFinalizer(() => Effect.sync(() => void socket.close()))
    return { address: `127.0.0.1:${socket.address().port}`, queryCount: () => queryCount }
  })
