import * as FiberRef from "effect/FiberRef"

/**
 * An operation that a replica can serve. It only reads, and it starts only once all writes that it must see have been
 * acknowledged. Storage with replicas keeps the read position here, so that all reads of the operation are consistent.
 */
export interface ReplicaRead {
  /** The primary's position, looked up at the operation's first read. Undefined until then. */
  position: number | undefined
}

/** The fiber's operation, if a replica can serve it. */
export const replicaRead: FiberRef.FiberRef<ReplicaRead | undefined> = FiberRef.unsafeMake<ReplicaRead | undefined>(
  undefined
)
