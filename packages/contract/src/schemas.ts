/*
 * The parts of zod/mini that the contract uses. Every page that makes a call loads them, so an extension's own
 * endpoints add no further code. Extensions that need more of zod can bundle it; `endpoint()` accepts its schemas.
 */
export {
  _default,
  array,
  boolean,
  discriminatedUnion,
  endsWith,
  enum,
  guid,
  type infer,
  literal,
  maxLength,
  minLength,
  nullable,
  number,
  object,
  optional,
  record,
  refine,
  regex,
  strictObject,
  string,
  trim,
  union,
  unknown,
  url,
  type ZodMiniType,
} from 'zod/mini'
