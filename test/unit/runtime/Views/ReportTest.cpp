//===- ReportTest.cpp - The report of a simulation ------------------------===//

#include "views/SimulationReport.h"
#include "views/TextTable.h"

#include <gtest/gtest.h>

using namespace heddle;
using namespace heddle::timing;
using namespace heddle::views;

namespace {

/// Two instructions on two lines; the second waits for memory.
SimulationResult sample() {
  SimulationResult R;
  R.Kernel = "axpy";
  R.GPU = "v100";
  R.Grid = {4, 1, 1};
  R.Block = {64, 1, 1};
  R.Cycles = 12345;
  R.WarpInstructions = 10;
  R.ThreadInstructions = 320;
  R.WarpCycles = 100;
  R.Stalls[unsigned(Stall::Selected)] = 10;
  R.Stalls[unsigned(Stall::LongScoreboard)] = 90;
  R.Opcodes = {"ld.global.f32", "add.f32"};
  R.InstOpcode = {0, 1};
  R.Files = {"dir/axpy.cu"};
  R.Insts.resize(2);
  R.Insts[0].Issued = R.Insts[1].Issued = 5;
  R.Insts[0].Cycles[unsigned(Stall::Selected)] = 5;
  R.Insts[1].Cycles[unsigned(Stall::Selected)] = 5;
  R.Insts[1].Cycles[unsigned(Stall::LongScoreboard)] = 90;
  R.Lines = {{0, 3, R.Insts[0]}, {0, 4, R.Insts[1]}};
  R.L1.Accesses = 8;
  R.L1.Hits = 2;
  R.L1.Misses = 6;
  R.SMs.resize(2);
  R.SMs[0] = {4, 10, 100, 10};
  return R;
}

std::string sourceText(const std::string &, uint32_t Line) {
  return "  source " + std::to_string(Line);
}

TEST(Report, TextNamesWhatTheWarpsWaitFor) {
  std::string Text = reportText(sample(), sourceText);
  EXPECT_NE(Text.find("axpy on v100"), std::string::npos);
  EXPECT_NE(Text.find("12,345"), std::string::npos);
  // The costlier line comes first, with its text trimmed.
  size_t Second = Text.find("axpy.cu:4  95.0 %"),
         First = Text.find("axpy.cu:3");
  ASSERT_NE(Second, std::string::npos) << Text;
  EXPECT_LT(Second, First);
  EXPECT_NE(Text.find("long_scoreboard         9.00  90.0 %"),
            std::string::npos)
      << Text;
}

TEST(Report, JSONCarriesTheCommonKeys) {
  JSON Out = reportJSON(sample(), sourceText, "1.2.3");
  for (const char *Key :
       {"tool", "version", "kernel", "gpu", "grid", "block", "cycles",
        "time_us", "warp_instructions", "thread_instructions", "ipc",
        "cpi_stack", "occupancy", "l1", "l2", "dram", "seconds", "model"})
    EXPECT_TRUE(Out.contains(Key)) << Key;
  EXPECT_DOUBLE_EQ(Out["cpi_stack"]["long_scoreboard"], 9.0);
  EXPECT_DOUBLE_EQ(Out["l1"]["hit_rate"], 0.25);
  EXPECT_EQ(Out["source_lines"][1]["cycles"]["long_scoreboard"], 90);
  EXPECT_EQ(Out["instructions"][0]["opcode"], "ld.global.f32");
}

TEST(Report, EmptyLaunchHasNoRatesButAReport) {
  SimulationResult R;
  R.Kernel = "idle";
  std::string Text = reportText(R, sourceText);
  EXPECT_EQ(Text.find("nan"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("inf"), std::string::npos) << Text;
  EXPECT_EQ(Text.find("Warp states"), std::string::npos) << Text;
}

TEST(TextTable, AlignsAndTrims) {
  TextTable Table("lr", {"a", "n"});
  Table.row({"long", "1"});
  Table.row({"x", "100"});
  EXPECT_EQ(Table.str(),
            "  a       n\n  ----  ---\n  long    1\n  x     100\n");
}

TEST(TextTable, LongNamesOfKernelsLoseTheirMiddle) {
  const std::string Fits(64, 'k');
  EXPECT_EQ(views::shortName(Fits), Fits);
  const std::string Short = views::shortName("sort<" + Fits + ">(int*, long)");
  EXPECT_EQ(Short.size(), 64u);
  EXPECT_TRUE(Short.starts_with("sort<kkk"));
  EXPECT_TRUE(Short.ends_with("kkkkk>(int*, long)"));
  EXPECT_NE(Short.find("..."), std::string::npos);
}

TEST(TextTable, Numbers) {
  EXPECT_EQ(grouped(0), "0");
  EXPECT_EQ(grouped(999), "999");
  EXPECT_EQ(grouped(1000), "1,000");
  EXPECT_EQ(grouped(1234567), "1,234,567");
  EXPECT_EQ(percent(1, 4), "25.0 %");
  EXPECT_EQ(percent(1, 0), "-");
  EXPECT_EQ(bytes(1536), "1.5 KiB");
}

} // namespace
