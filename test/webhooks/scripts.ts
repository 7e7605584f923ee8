/** How receivers behave: well, and in all the ways that are met with in the wild. */
import type { OutgoingHttpHeaders, ServerResponse } from "node:http"
import { setTimeout as sleep } from "node:timers/promises"
import type { Dice } from "../reliability/dice.ts"

export interface Exchange {
  readonly dice: Dice
  readonly response: ServerResponse
  /** Sends a status: with that the delivery has its answer. */
  readonly head: (status: number, headers?: OutgoingHttpHeaders) => ServerResponse
}

/** Answers a delivery, or does not. */
export type Script = (exchange: Exchange) => void | Promise<void>

const withStatus = (status: number): Script => ({ head }) => void head(status).end()

export const healthy = withStatus(200)
export const noContent = withStatus(204)
export const gone = withStatus(410)

/** Never answers. */
export const hang: Script = () => {}

export const slow = (millis: number): Script => async ({ head }) => {
  await sleep(millis)
  head(200).end()
}

/** An error for so many deliveries in a hundred. */
export const flaky = (percent: number): Script => ({ dice, head }) => void head(dice.percent(percent) ? 500 : 200).end()

export const redirect = (url: string): Script => ({ head }) => void head(307, { location: url }).end()

/** A status line, and then a body without an end, a byte at a time. */
export const dripBody: Script = async ({ head }) => {
  const response = head(200)
  while (!response.closed) {
    response.write("x")
    await sleep(50)
  }
}

/** A status line that takes for ever. */
export const dripHead: Script = async ({ response: { socket } }) => {
  for (const byte of `HTTP/1.1 200 ${"O".repeat(1000)}`) {
    if (socket === null || socket.destroyed) return
    socket.write(byte)
    await sleep(50)
  }
}

/** More than anybody wants to read. */
export const flood = (bytes: number): Script => ({ head }) =>
  void head(200, { "content-length": bytes }).end(Buffer.alloc(bytes, "x"))

export const reset: Script = ({ response: { socket } }) => void socket?.resetAndDestroy()

/** One way as long as `isDown` says so, and well after that. */
export const until = (isDown: () => boolean, meanwhile: Script): Script => (exchange) =>
  (isDown() ? meanwhile : healthy)(exchange)
