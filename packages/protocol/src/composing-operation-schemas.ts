import { agentCommandListSchema, agentModelListSchema } from "./agent-offers.ts";
import {
  attachmentDataSchema,
  attachmentSchema,
  uploadAttachmentBodySchema,
} from "./attachment.ts";
import {
  fileListSchema,
  fileQuerySchema,
  folderFileQuerySchema,
  folderQuerySchema,
} from "./workspace-files.ts";

/** The operations that help a person write a message: see `OPERATION_SCHEMAS`. */
export const COMPOSING_OPERATION_SCHEMAS = {
  listModels: {
    summary: "The models that the session's agent can use",
    access: "person",
    answer: {
      status: 200,
      description:
        "As reported by the agent, with its own choice first; empty if there is no choice.",
      schema: agentModelListSchema,
    },
    errors: ["NOT_FOUND", "AGENT_UNAVAILABLE"],
  },
  listCommands: {
    summary: "The commands that a message to the session's agent can begin with",
    access: "person",
    answer: {
      status: 200,
      description: "As reported by the agent.",
      schema: agentCommandListSchema,
    },
    errors: ["NOT_FOUND", "AGENT_UNAVAILABLE"],
  },
  // A program's token may only read those parts of folders that their sessions show.
  listAgentCommands: {
    summary: "The commands that a first message to the agent can begin with",
    access: "device",
    query: folderQuerySchema,
    answer: {
      status: 200,
      description: "As reported by the agent.",
      schema: agentCommandListSchema,
    },
    errors: ["NOT_FOUND", "INVALID_REQUEST", "AGENT_UNAVAILABLE"],
  },
  findFolderFiles: {
    summary: "Files and folders of a directory whose path has a text",
    access: "device",
    query: folderFileQuerySchema,
    answer: {
      status: 200,
      description: "Files ignored by git are left out. The gateway looks at a limited number.",
      schema: fileListSchema,
    },
    errors: ["INVALID_REQUEST"],
  },
  findFiles: {
    summary: "Files and folders of the session's directory whose path has a text",
    access: "person",
    query: fileQuerySchema,
    answer: {
      status: 200,
      description: "Files ignored by git are left out. The gateway looks at a limited number.",
      schema: fileListSchema,
    },
    errors: ["NOT_FOUND", "INVALID_REQUEST"],
  },
  uploadAttachment: {
    summary: "Keep an image or a file for messages of the session",
    access: "person",
    body: uploadAttachmentBodySchema,
    answer: { status: 201, description: "The stored file.", schema: attachmentSchema },
    errors: ["NOT_FOUND", "INVALID_REQUEST", "TOO_LARGE", "NO_ROOM"],
  },
  readAttachment: {
    summary: "An image or a file of the session, with its bytes",
    access: "person",
    answer: { status: 200, description: "The bytes are in Base64.", schema: attachmentDataSchema },
    errors: ["NOT_FOUND"],
  },
} as const;
