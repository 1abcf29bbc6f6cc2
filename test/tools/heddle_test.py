"""How lit runs a test of Heddle."""

import lit.formats
import lit.Test


class HeddleTest(lit.formats.ShTest):
    """The opt and clang that load the plugin are not built with sanitizers, so they
    cannot load one that is."""

    def execute(self, test, lit_config):
        if "sanitizers" in test.config.available_features:
            with open(test.getSourcePath(), encoding="utf-8") as file:
                if "%plugin" in file.read():
                    return lit.Test.Result(lit.Test.UNSUPPORTED, "loads a plugin with sanitizers")
        return super().execute(test, lit_config)
