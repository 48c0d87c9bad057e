"""Usage: python3 otlp.py FILE

Reads OTLP/JSON with OpenTelemetry's own definitions, the PyPI package opentelemetry-proto, and prints how many
spans and links it has. A field that they do not have, or a value of another type, is an error.
"""

import sys

from google.protobuf.json_format import Parse
from opentelemetry.proto.trace.v1.trace_pb2 import TracesData

with open(sys.argv[1], encoding="utf-8") as file:
    data = Parse(file.read(), TracesData())
spans = [span for resource in data.resource_spans for scope in resource.scope_spans for span in scope.spans]
print(len(spans), sum(len(span.links) for span in spans))
