import * as FiberRef from "effect/FiberRef"

/**
 * An operation that a replica may serve. It only reads, and it starts after all writes that it must see were
 * acknowledged. A storage with replicas notes here where the operation reads so that all of its reads agree.
 */
export interface ReplicaRead {
  /** The primary's position when the operation started. Undefined before the first read. */
  position: number | undefined
}

/** A fiber's operation, if a replica may serve it. */
export const replicaRead: FiberRef.FiberRef<ReplicaRead | undefined> = FiberRef.unsafeMake<ReplicaRead | undefined>(
  undefined
)
