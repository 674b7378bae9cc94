import { z } from 'zod';
import {
  caseSchema,
  claimCreationResultSchema,
  claimSchema,
  validationResultSchema,
} from '#shared/api/case.ts';
import { documentContentSchema, documentSchema } from '#shared/api/document.ts';
import {
  reportSchema,
  submissionDocumentContentSchema,
  submissionDocumentSchema,
  submissionSchema,
} from '#shared/api/submission.ts';
import { tokenResponseSchema } from '#shared/api/token.ts';
import type { ComponentName } from './operations.ts';

const componentSchemas: Record<ComponentName, z.ZodType> = {
  Case: caseSchema,
  Claim: claimSchema,
  ClaimCreationResult: claimCreationResultSchema,
  ValidationResult: validationResultSchema,
  Document: documentSchema,
  DocumentWithContent: documentContentSchema,
  Submission: submissionSchema,
  Report: reportSchema,
  SubmissionDocument: submissionDocumentSchema,
  SubmissionDocumentWithContent: submissionDocumentContentSchema,
  TokenResponse: tokenResponseSchema,
};

const int32Max = 2 ** 31 - 1;

export type JsonSchema = Readonly<Record<string, unknown>>;

/** A zod schema as JSON Schema 2020-12, which is what OpenAPI 3.1 speaks. */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const whole: Record<string, unknown> = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema, zodSchema }) => {
      // A member may be added without a new version (specification, "Versioning"): a schema that
      // forbids what it does not name would make every addition a break.
      if (jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
      if (jsonSchema.type === 'number') jsonSchema.format = 'double';
      if (jsonSchema.type === 'integer') {
        jsonSchema.format = (jsonSchema.maximum ?? Infinity) <= int32Max ? 'int32' : 'int64';
      }
      if (zodSchema instanceof z.ZodDefault) jsonSchema.default = zodSchema.parse(undefined);
      // The text of a query parameter is published as the type that it stands for.
      if (jsonSchema.type === 'integer' || jsonSchema.format === 'date-time') {
        delete jsonSchema.pattern;
      }
    },
  });
  // The document says the dialect once, for all of its schemas.
  return Object.fromEntries(Object.entries(whole).filter(([name]) => name !== '$schema'));
}

/** `components.schemas` of the OpenAPI document. */
export function components(): Record<string, JsonSchema> {
  return Object.fromEntries(
    Object.entries(componentSchemas).map(([name, schema]) => [
      name,
      jsonSchemaOf(schema, 'output'),
    ]),
  );
}
