import type { Ids } from "../port/Ids.ts"

/**
 * Creates the secret part of an inbound email address: 26 letters and digits with 130 bits. Only lowercase, because
 * mail servers do not preserve case.
 */
export const makeReplyToken = ({ digest, handle }: Pick<Ids["Type"], "digest" | "handle">): string =>
  BigInt.asUintN(130, BigInt(`0x${digest(handle())}`)).toString(32).padStart(26, "0")
