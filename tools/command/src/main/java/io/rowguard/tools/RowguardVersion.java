package io.rowguard.tools;

import picocli.CommandLine.IVersionProvider;

/** The version in the manifest of the jar that this class is in. */
final class RowguardVersion implements IVersionProvider {
  RowguardVersion() {}

  @Override
  public String[] getVersion() {
    String version = RowguardVersion.class.getPackage().getImplementationVersion();
    return new String[] {
      "rowguard " + (version == null ? "(of a checkout, not packaged)" : version),
      "Java " + Runtime.version()
    };
  }
}
