/*
 * The parts of zod/mini that the contract uses. Every page that makes a call loads them, so the endpoints of extensions
 * add no code. Extensions that need other parts can bundle zod; `endpoint()` accepts its schemas.
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
