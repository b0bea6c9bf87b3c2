"use client";

export * from "@holdpoint/react";
