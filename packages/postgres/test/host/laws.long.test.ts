import * as Memory from "@trailbook/memory"
import { suite } from "@trailbook/testkit/suite"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"
import { database } from "../schema.ts"
import { layer } from "./storage.ts"

const storage = Layer.unwrapScoped(Effect.map(database(), ({ url }) => layer(url)))

suite("Postgres, within the transactions of a host", storage, { reference: Memory.layer })
