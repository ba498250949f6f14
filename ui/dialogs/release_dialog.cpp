// SPDX-License-Identifier: GPL-3.0-or-later
#include "ui/dialogs/release_dialog.h"

#include "models/cache/cache_words.h"
#include "models/format/display_text.h"
#include "models/format/labels.h"
#include "models/format/quantities.h"
#include "ui/dialogs/reason_form.h"
#include "ui/theme/console_style.h"
#include "ui/theme/theme.h"
#include "ui/widgets/button_row.h"
#include "ui/widgets/enter_keys.h"
#include "ui/widgets/environment_band.h"
#include "ui/widgets/labels.h"
#include "ui/widgets/layouts.h"

#include <QFormLayout>
#include <QLabel>
#include <QPushButton>

using namespace Qt::StringLiterals;

namespace idemdesk::ui {

namespace {

constexpr int kReleaseWidth = 560; // pixels
constexpr int kReleaseFactChars = 60;

} // namespace

ReleaseDialog::ReleaseDialog(const sql::CachedEntry &seen, std::optional<qint64> leastAgeMs, const QString &connection,
    sql::Environment environment, QWidget *parent)
    : QDialog(parent)
    , m_form(new ReasonForm(
          u"release"_s, environment == sql::Environment::Production || !leastAgeMs ? u"release"_s : QString(), this))
{
    setObjectName(u"releaseDialog"_s);
    setWindowTitle(tr("Release a claim"));
    setMinimumWidth(kReleaseWidth);
    auto *layout = dialogColumn(this);
    if (QLabel *band = environmentBand(environment, connection, this)) {
        layout->addWidget(band);
    }
    layout->addWidget(titleLabel(tr("Release this claim in the cache?"), this));
    layout->addLayout(factsOf(seen, leastAgeMs));
    layout->addWidget(wrappedLabel(
        tr("The entry is deleted, if it still stands there as it was seen. The next retry goes to the database. "
           "The server looks at the row once more, and the audit log has it first. It cannot be undone."),
        this));
    if (!leastAgeMs) {
        layout->addWidget(
            wrappedLabel(tr("Nothing tells how old this claim is. One that was just made is right, though its row is "
                            "not there yet. Look first whether somebody works on the key."),
                this));
    }
    layout->addWidget(m_form);
    auto *buttons = new ButtonRow(this);
    m_go = buttons->addGo(u"releaseGo"_s, tr("&Release the claim"));
    setLook(m_go, ButtonLook::Danger);
    buttons->setDefault(buttons->addStay(u"releaseLeave"_s, tr("Cancel")));
    layout->addWidget(buttons);
    connect(m_go, &QPushButton::clicked, this, &QDialog::accept);
    connect(m_form, &ReasonForm::changed, this, [this] { m_go->setEnabled(m_form->complete()); });
    guideEnter(this, m_form->fields(), m_go);
    m_form->focusFirst();
    m_go->setEnabled(false); // nothing is filled in yet
}

QFormLayout *ReleaseDialog::factsOf(const sql::CachedEntry &seen, std::optional<qint64> leastAgeMs)
{
    auto *facts = new QFormLayout;
    facts->setHorizontalSpacing(3 * kGrid);
    facts->setVerticalSpacing(kGrid);
    facts->setLabelAlignment(Qt::AlignLeft | Qt::AlignTop);
    const auto fact = [&](const QString &name, const QString &text) {
        auto *label = plainLabel(models::displayText(text, kReleaseFactChars), this);
        label->setToolTip(models::displayText(text, 4'000));
        facts->addRow(name, label);
    };
    QStringList rows;
    for (const sql::KeyState state : seen.rows) {
        rows += models::stateLabel(state);
    }
    fact(tr("Entry"), QString::fromUtf8(seen.entry.name));
    fact(tr("Value"), models::cacheValueText(seen.entry));
    fact(tr("Time to live"), models::cacheTtlText(seen.entry));
    fact(tr("Age"),
        leastAgeMs ? tr("at least %1").arg(models::durationText(*leastAgeMs / 1'000)) : tr("not known", "age"));
    fact(tr("Row"), rows.isEmpty() ? tr("none", "no row") : rows.join(u", "_s));
    return facts;
}

QString ReleaseDialog::reason() const
{
    return m_form->reason();
}

QString ReleaseDialog::ticket() const
{
    return m_form->ticket();
}

} // namespace idemdesk::ui
