import { Orgs } from "@trailbook/core/org"
import * as Memory from "@trailbook/memory"
import * as TestIds from "@trailbook/testkit/fake/TestIds"
import * as Effect from "effect/Effect"
import * as Layer from "effect/Layer"

const createOrg = Effect.flatMap(Orgs, ({ create }) => create({ name: "Salida River Co.", timezone: "America/Denver" }))
const services = Orgs.layer.pipe(Layer.provide(Layer.merge(Memory.layer, TestIds.layer(1))))

export const { slug } = await Effect.runPromise(Effect.provide(createOrg, services))
