import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import * as z from 'zod'

/**
 * Compiles a reply schema to a serialiser of its declared fields, so that undeclared fields never leave the server.
 * Compiled on the first reply, because compiling all of them would add 0.3 s and 20 MB to every start.
 */
export const writeJson: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  let write: ((data: unknown) => string) | undefined
  return (data) => {
    write ??= fastJson(
      z.toJSONSchema(schema, { io: 'output', target: 'draft-7', override: writeNull }) as fastJson.Schema,
    )
    return write(data)
  }
}

/** Handles nullable schemas separately. Otherwise the serialiser would check each value against both alternatives. */
function writeNull({ jsonSchema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  const { anyOf } = jsonSchema
  const others = anyOf?.filter(({ type }) => type !== 'null') ?? []
  const [other] = others
  // The serialiser does not support null together with several alternatives.
  if (anyOf?.length !== 2 || others.length !== 1 || other?.type === undefined) return
  delete jsonSchema.anyOf
  Object.assign(jsonSchema, other, { nullable: true })
}
