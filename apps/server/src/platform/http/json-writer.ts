import fastJson from 'fast-json-stringify'
import type { FastifySerializerCompiler } from 'fastify/types/schema.js'
import * as z from 'zod'

/**
 * Compiles an answer's schema into a writer that knows the fields, and so writes no other: what a handler returns
 * beside them never leaves the server.
 */
export const writeJson: FastifySerializerCompiler<z.ZodType> = ({ schema }) => {
  const json = z.toJSONSchema(schema, { io: 'output', target: 'draft-7' })
  return fastJson(json as fastJson.Schema)
}
